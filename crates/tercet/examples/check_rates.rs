//! How often the checks of `tercet check` are right: findings in outputs of real systems, for people to look at, and
//! the share of outputs that are found after they were damaged here.
//!
//! `cargo run --release -p tercet --example check_rates -- [--examples N] FOLDER… FILE…`: a folder has `src`, `ref` and
//! systems `sys.*`, one segment per line; its name is the language pair. A file has columns `system`, `source`,
//! `reference` and `hypothesis`, separated by tabs, and its name starts with the language pair; `FILE:source` leaves
//! its references out. `--examples` prints so many findings of each kind. The tables are those of `docs/checks.md`;
//! outputs of folders are damaged, those of files are not.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::Path;
use tercet::corpora::{Lines, read_lines};
use tercet::progress::Progress;
use tercet::scoring::{CheckJob, CheckKind, CheckTexts, Checked, System};
use tercet::text::Language;

/// One line in so many is damaged; one in fewer where not every line can be.
const EVERY: usize = 50;
const EVERY_OF_FEW: usize = 5;

/// Systems with the same sources and references.
struct Set {
    name: String,
    language: Option<Language>,
    sources: Vec<String>,
    references: Option<Vec<String>>,
    systems: Vec<(String, Vec<String>)>,
}

/// What is done to a line, given its number and its source; nothing where it cannot be done.
type Damage = fn(&str, usize, &str) -> Option<String>;

const DAMAGES: [(CheckKind, &str, Damage); 21] = [
    (CheckKind::EmptyOutput, "left empty", |_, _, _| Some(String::new())),
    (CheckKind::CopyOfSource, "replaced by the source", |_, _, source| words(source, 5).then(|| source.to_owned())),
    (CheckKind::Refusal, "replaced by a refusal", |_, i, _| Some(in_turn(&REFUSALS, i).to_owned())),
    (CheckKind::Refusal, "replaced by a new refusal", |_, i, _| Some(in_turn(&NEW_REFUSALS, i).to_owned())),
    (CheckKind::Comment, "with a remark behind it", |line, i, _| Some(format!("{line} {}", in_turn(&REMARKS, i)))),
    (CheckKind::Comment, "with a new remark behind it", |line, i, _| {
        Some(format!("{line} {}", in_turn(&NEW_REMARKS, i)))
    }),
    (CheckKind::Label, "with a label before it", |line, i, _| Some(format!("{} {line}", in_turn(&LABELS, i)))),
    (CheckKind::Json, "in JSON", |line, _, _| Some(format!("{{\"translation\": \"{line}\"}}"))),
    (CheckKind::CodeFence, "in a code fence", |line, _, _| Some(format!("```{line}```"))),
    (CheckKind::Markdown, "in bold letters", |line, _, _| Some(format!("**{line}**"))),
    (CheckKind::Quotes, "in quotation marks", |line, _, _| (!line.contains('"')).then(|| format!("\"{line}\""))),
    (CheckKind::Reasoning, "behind reasoning", |line, _, _| Some(format!("<think>Let me see.</think> {line}"))),
    (CheckKind::SubwordMarks, "cut into subwords", |line, _, _| subwords(line)),
    (CheckKind::HtmlEntity, "with HTML entities", |line, _, _| {
        line.contains(['&', '"', '\''])
            .then(|| line.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;"))
    }),
    (CheckKind::Mojibake, "read as Latin-1", |line, _, _| {
        (!line.is_ascii()).then(|| line.bytes().map(char::from).collect())
    }),
    (CheckKind::Repetition, "with three words six times", |line, i, _| repeated(line, i)),
    (CheckKind::Number, "with digits exchanged", |line, _, _| exchanged(line)),
    (CheckKind::Length, "cut to a fifth", |line, _, _| words(line, 10).then(|| start(line, 5))),
    (CheckKind::RepeatedOutput, "replaced by one sentence", |_, _, _| Some(ONE.to_owned())),
    (CheckKind::OtherLanguage, "replaced by French", |_, i, _| Some(in_turn(&FRENCH, i).to_owned())),
    (CheckKind::LineSeparator, "with a line separator", |line, _, _| Some(line.replacen(' ', "\u{2028}", 1))),
];

const ONE: &str = "The committee will meet again on Thursday to decide about it.";

/// What a language model may say. These sentences were written first, then the phrases of the checks that find them.
const REFUSALS: [&str; 56] = [
    "I'm sorry, but I can't help with that request.",
    "I cannot translate this text.",
    "As an AI language model, I am not able to do this.",
    "Unfortunately, I'm unable to provide a translation of this passage.",
    "It looks like there is no text to translate here. Please provide the sentence.",
    "Leider kann ich diesen Text nicht übersetzen.",
    "I won't translate this because it may be offensive.",
    "对不起，我无法翻译这个句子。",
    "I apologize, but I'm not comfortable translating material of this kind.",
    "Could you share the sentence that you want me to translate?",
    "Es tut mir leid, aber dabei kann ich nicht helfen.",
    "Ich bin ein Sprachmodell und darf solche Inhalte nicht übersetzen.",
    "Désolé, je ne peux pas répondre à cette demande.",
    "Il m'est impossible de traduire ce passage.",
    "Lo siento, pero no puedo ayudar con esa petición.",
    "Desculpe, mas não posso ajudar com isso.",
    "Mi dispiace, ma non posso soddisfare questa richiesta.",
    "Het spijt me, maar daar kan ik niet bij helpen.",
    "К сожалению, я не могу помочь с этим запросом.",
    "Przepraszam, ale nie mogę pomóc w tej sprawie.",
    "抱歉，我不能协助处理这个请求。",
    "申し訳ございませんが、そのご要望にはお応えできません。",
    "죄송하지만 이 요청은 도와드릴 수 없습니다.",
    "عذراً، لا يمكنني المساعدة في هذا الطلب.",
    "I must respectfully decline to translate this sentence.",
    "Sorry, that content goes against what I am allowed to produce.",
    "My apologies, I am unable to render this into English.",
    "The source appears to be empty. Which text should I translate?",
    "Tut mir leid, das kann ich nicht übersetzen.",
    "Als KI-Modell darf ich dazu nichts sagen.",
    "Je regrette, mais je ne peux pas traduire un tel contenu.",
    "Lamentablemente no puedo traducir esta frase.",
    "Infelizmente não consigo traduzir este trecho.",
    "Purtroppo non sono in grado di tradurre questa frase.",
    "Helaas kan ik deze zin niet vertalen.",
    "Извините, но перевести этот текст я не могу.",
    "Niestety nie mogę przetłumaczyć tego zdania.",
    "很抱歉，这段内容我翻译不了。",
    "申し訳ありませんが、このテキストを翻訳することはできません。",
    "죄송합니다. 이 문장은 번역할 수 없습니다.",
    "I'm really sorry, but translating this would break my rules.",
    "No input was given, so there is nothing I could translate.",
    "This request cannot be completed by me.",
    "I do not speak this language well enough to translate the sentence.",
    "Sorry, but I can't do that.",
    "Ich bitte um Verständnis, dass ich den Satz nicht übersetzen kann.",
    "Für diese Sprache steht mir keine Übersetzung zur Verfügung.",
    "Je préfère ne pas traduire ce genre de propos.",
    "Disculpa, pero no tengo permitido traducir esto.",
    "Peço desculpa, mas não consigo fazer essa tradução.",
    "Mi spiace, questa frase non la posso tradurre.",
    "Sorry, dat mag ik niet vertalen.",
    "Прошу прощения, но я не имею права переводить такие тексты.",
    "Bohužel tuto větu nemohu přeložit.",
    "对不起，我不能帮您翻译这句话。",
    "すみません、この内容は翻訳できません。",
];

const REMARKS: [&str; 28] = [
    "(Note: the translation keeps the tone of the original.)",
    "I hope this translation helps!",
    "Let me know if you need anything else.",
    "A more literal translation would keep the order of the words.",
    "Note: This translation is informal.",
    "Please tell me whether this is what you wanted.",
    "(Anmerkung: Das Wort hat mehrere Bedeutungen.)",
    "In this sentence, the verb was translated freely.",
    "Would you like me to explain my choice of words?",
    "Esta es una traducción literal.",
    "(注：此处为直译。)",
    "Explanation: the idiom has no equivalent.",
    "(Translator's note: the idiom has no equivalent.)",
    "I kept the original word order where possible.",
    "This translation aims to preserve the tone of the source.",
    "If you need further adjustments, let me know!",
    "Hinweis: Die Übersetzung ist sinngemäß.",
    "J'espère que cette traduction vous convient.",
    "（注：原文有歧义。）",
    "[Note: the name was left as it is]",
    "(Literally: the cat in the bag)",
    "Is there any other sentence I can translate for you?",
    "I translated the name as it is usual in English.",
    "*Note: the source has a typo.*",
    "Alternative: The rain has stopped.",
    "Die Übersetzung ist bewusst frei gehalten.",
    "N'hésitez pas si vous avez d'autres phrases à traduire.",
    "（译注：双关语）",
];

/// Written after the phrases of the checks, which were not changed since.
const NEW_REFUSALS: [&str; 14] = [
    "I'm sorry, I don't have enough context to translate this.",
    "I can't translate slurs or hate speech.",
    "Please give me a sentence, and I will translate it.",
    "Sorry, I am only a chatbot and can't help with this.",
    "Dieser Inhalt verstößt gegen meine Richtlinien.",
    "Eine Übersetzung dieses Satzes ist mir leider nicht möglich.",
    "Cette phrase contient des propos que je ne traduirai pas.",
    "Lo siento, no entiendo el texto que hay que traducir.",
    "Não posso fornecer uma tradução desse conteúdo.",
    "Non mi è possibile tradurre questa parte.",
    "Deze tekst kan ik helaas niet voor u vertalen.",
    "Я не могу перевести это предложение.",
    "这段文字我没有办法翻译。",
    "申し訳ありませんが、翻訳を行うことができません。",
];

const NEW_REMARKS: [&str; 8] = [
    "(The tone of the original is formal.)",
    "Translated from German.",
    "I hope that helps.",
    "Note that this is an informal translation.",
    "Die wörtliche Übersetzung wäre anders.",
    "Cette traduction reste proche du texte.",
    "以上是翻译结果。",
    "Do you need anything else?",
];

const LABELS: [&str; 12] = [
    "Translation:",
    "Here is the translation:",
    "**Translation:**",
    "Output:",
    "Übersetzung:",
    "Sure, here you go:",
    "Translated text:",
    "English translation:",
    "Bien sûr ! Voici la traduction :",
    "Вот перевод:",
    "译文：",
    "The translated sentence is:",
];

const FRENCH: [&str; 3] = [
    "Le conseil de la ville a décidé que les travaux ne seront pas finis avant la fin de l'année.",
    "Il est arrivé dans la nuit avec ses deux enfants et une valise qui ne fermait pas.",
    "Nous avons vu des oiseaux sur le lac, mais il n'y avait pas de bateau pour traverser.",
];

fn in_turn(list: &[&'static str], i: usize) -> &'static str {
    list[i / EVERY % list.len()]
}

fn words(line: &str, fewest: usize) -> bool {
    line.split(' ').count() >= fewest
}

fn start(line: &str, part: usize) -> String {
    let count = line.split(' ').count() / part;
    line.split(' ').take(count).collect::<Vec<_>>().join(" ")
}

fn subwords(line: &str) -> Option<String> {
    let word = line.split(' ').find(|word| word.len() > 5 && word.is_ascii())?;
    Some(line.replacen(word, &format!("{}@@ {}", &word[..3], &word[3..]), 1))
}

fn repeated(line: &str, i: usize) -> Option<String> {
    let all: Vec<&str> = line.split(' ').collect();
    let from = i % all.len().checked_sub(3).filter(|left| *left > 0)?;
    let phrase = all[from..from + 3].join(" ");
    Some([&all[..from].join(" "), [phrase.as_str(); 6].join(" ").as_str(), &all[from + 3..].join(" ")].join(" "))
}

/// The first number of three digits or more, backwards.
fn exchanged(line: &str) -> Option<String> {
    let is_long = |word: &&str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = line.split(' ').find(is_long)?;
    let backwards: String = number.chars().rev().collect();
    (backwards != number).then(|| line.replacen(number, &backwards, 1))
}

fn main() -> tercet::Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let examples = match arguments.iter().position(|argument| argument == "--examples") {
        Some(at) => arguments.drain(at..at + 2).nth(1).and_then(|count| count.parse().ok()),
        None => None,
    };
    let (mut sets, mut folders) = (Vec::new(), Vec::new());
    for argument in &arguments {
        match Path::new(argument).is_dir() {
            true => folders.push(read(Path::new(argument))?),
            false => sets.extend(read_judged(argument)?),
        }
    }
    alarms(folders.iter().chain(&sets), examples.unwrap_or(0))?;
    if !folders.is_empty() {
        detections(&folders)?;
        displacements(&folders)?;
    }
    Ok(())
}

fn strings(lines: &Lines) -> Vec<String> {
    lines.iter().map(str::to_owned).collect()
}

fn read(folder: &Path) -> tercet::Result<Set> {
    let mut systems = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("sys.") {
            systems.push((name, strings(&read_lines(&path)?)));
        }
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let references = Some(strings(&read_lines(&folder.join("ref"))?));
    Ok(Set {
        language: Language::target(&name).ok(),
        name,
        sources: strings(&read_lines(&folder.join("src"))?),
        references,
        systems,
    })
}

/// A set for each system of a file, and for its segments with and without a reference.
fn read_judged(argument: &str) -> tercet::Result<Vec<Set>> {
    let (path, by_source) = argument.strip_suffix(":source").map_or((argument, false), |path| (path, true));
    let parts: Vec<&str> = path.rsplit('/').take(2).collect();
    let pair = parts[0].split('.').next().unwrap_or_default();
    let name = format!("{}/{pair}", parts.get(1).unwrap_or(&""));
    let lines = read_lines(Path::new(path))?;
    let mut rows = lines.iter().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap_or_default();
    let column = |name: &str| header.iter().position(|field| *field == name).unwrap_or_else(|| panic!("no {name}"));
    let [system, source, reference, output] = ["system", "source", "reference", "hypothesis"].map(column);
    let mut sets: BTreeMap<(String, bool), Set> = BTreeMap::new();
    for row in rows {
        let has_reference = !by_source && !row[reference].is_empty();
        let set = sets.entry((row[system].to_owned(), has_reference)).or_insert_with(|| Set {
            name: name.clone(),
            language: Language::target(pair).ok(),
            sources: Vec::new(),
            references: has_reference.then(Vec::new),
            systems: vec![(row[system].to_owned(), Vec::new())],
        });
        set.sources.push(row[source].to_owned());
        set.references.iter_mut().for_each(|references| references.push(row[reference].to_owned()));
        set.systems[0].1.push(row[output].to_owned());
    }
    Ok(sets.into_values().collect())
}

fn check(set: &Set, systems: Vec<System<'_>>) -> tercet::Result<Checked> {
    let references = set.references.iter().map(|lines| lines.iter().map(|line| vec![line.as_str()]).collect()).next();
    let sources = set.sources.iter().map(String::as_str).collect();
    let texts = CheckTexts::new(systems, references, Some(sources))?;
    let job = CheckJob { language: set.language.clone(), ..CheckJob::default() };
    Ok(job.run(&texts, Progress::none())?.result)
}

/// Findings in outputs as they are.
fn alarms<'s>(sets: impl Iterator<Item = &'s Set>, examples: usize) -> tercet::Result<()> {
    let mut counts: BTreeMap<CheckKind, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found: BTreeMap<CheckKind, Vec<String>> = BTreeMap::new();
    for set in sets {
        let systems = set.systems.iter().map(|(name, lines)| System::new(name.clone(), lines)).collect();
        let checked = check(set, systems)?;
        *lines.entry(&set.name).or_default() += set.systems.len() * checked.segments;
        for one in checked.findings {
            *counts.entry(one.kind).or_default().entry(&set.name).or_default() += 1;
            let i = one.line - 1;
            let reference = set.references.as_ref().map_or("", |references| &references[i]);
            let place = format!("{} {} {}: {}", set.name, one.text, one.line, one.reason);
            let texts = format!("  S {}\n  R {reference}\n  O {}", set.sources[i], one.example);
            found.entry(one.kind).or_default().push(format!("{place}\n{texts}"));
        }
    }
    let all: usize = lines.values().sum();
    println!("| kind | findings in {all} lines | of 1,000 | most of 1,000 |\n|---|---|---|---|");
    for (kind, of_sets) in counts {
        let count: usize = of_sets.values().sum();
        let rate = |(name, count): (&&str, &usize)| (1000.0 * *count as f64 / lines[name] as f64, name.to_string());
        let (most, name) = of_sets.iter().map(rate).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
        println!("| `{kind}` | {count} | {:.2} | {most:.2} in {name} |", 1000.0 * count as f64 / all as f64);
    }
    for (kind, found) in found.iter().filter(|_| examples > 0) {
        println!("\n## {kind}");
        let step = found.len().div_ceil(examples);
        found.iter().step_by(step).for_each(|one| println!("{one}"));
    }
    Ok(())
}

/// The shares of damaged lines that are found.
fn detections(sets: &[Set]) -> tercet::Result<()> {
    println!("\n| kind | outputs | found |\n|---|---|---|");
    for (kind, what, damage) in DAMAGES {
        let (mut damaged, mut found) = (0, 0);
        for set in sets {
            let (name, lines) = &set.systems[0];
            let mut outputs = lines.clone();
            let mut places = Vec::new();
            let every = if matches!(kind, CheckKind::Number | CheckKind::HtmlEntity) { EVERY_OF_FEW } else { EVERY };
            for i in (0..outputs.len()).step_by(every) {
                let changed = damage(&outputs[i], i, &set.sources[i]).filter(|_| !outputs[i].trim().is_empty());
                if let Some(changed) = changed.filter(|changed| *changed != outputs[i]) {
                    outputs[i] = changed;
                    places.push(i + 1);
                }
            }
            let checked = check(set, vec![System::new(name.clone(), &outputs)])?;
            // A refusal that is told as a remark is listed all the same.
            let others = if kind == CheckKind::Refusal { [kind, CheckKind::Comment] } else { [kind; 2] };
            let is_found =
                |line: &&usize| checked.findings.iter().any(|one| others.contains(&one.kind) && one.line == **line);
            found += places.iter().filter(is_found).count();
            damaged += places.len();
        }
        println!("| `{kind}` | {damaged} {what} | {:.1}% |", 100.0 * found as f64 / damaged.max(1) as f64);
    }
    Ok(())
}

/// The shares of displaced parts that are found, by their length.
fn displacements(sets: &[Set]) -> tercet::Result<()> {
    println!("\n| lines displaced by one | parts | found | inserted line named |\n|---|---|---|---|");
    for length in [3, 5, 10, 20, 50, 200] {
        let (mut parts, mut found, mut named) = (0, 0, 0);
        for set in sets {
            for (name, lines) in &set.systems {
                let mut outputs = lines.clone();
                let at = outputs.len() / 3;
                outputs.remove(at + length);
                outputs.insert(at, "This line is not in the source.".to_owned());
                let checked = check(set, vec![System::new(name.clone(), &outputs)])?;
                let one = checked
                    .findings
                    .iter()
                    .find(|one| one.kind == CheckKind::Misaligned && one.line <= at + length && one.last > at);
                parts += 1;
                found += usize::from(one.is_some());
                let inserted = format!("line {} looks inserted", at + 1);
                named += usize::from(one.is_some_and(|one| one.reason.ends_with(&inserted)));
            }
        }
        println!("| {length} | {parts} | {found} | {named} |");
    }
    Ok(())
}
