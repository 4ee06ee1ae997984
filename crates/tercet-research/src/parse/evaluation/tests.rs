use super::*;
use crate::error::Result;
use crate::parse::Tree;
use crate::parse::bracketed::{read_parses, read_trees};
use crate::parse::conllu::Conllu;
use std::path::Path;

/// Id, form, UPOS, XPOS, head and relation of each word; `~` is a space.
const GOLD: &str = "\
1 She PRON PRP 4 nsubj
2-3 can't _ _ _ _
2 ca AUX MD 4 aux
3 n't PART RB 4 advmod
4 swim VERB VB 0 root
5 . PUNCT . 4 punct

1 My PRON PRP$ 2 nmod:poss
2 cat NOUN NN 3 nsubj
3 sleeps VERB VBZ 0 root

1-3 vámonos _ _ _ _
1 vamos VERB V 0 root
2 nos PRON P 1 obj
3 ya ADV R 1 advmod
4 10~000 NUM CD 1 obl
";
const SYSTEM: &str = "\
1 She PRON PRP 2 nsubj
2 can AUX MD 0 root
3 't PART RB 2 advmod
4 swim VERB VB 2 xcomp

1 . PUNCT . 3 punct
2 My PRON PRP 3 nmod
3 cat NOUN NN 4 obj
4 sleeps VERB VBZ 0 root

1-2 vámonos _ _ _ _
1 Vamos VERB V 0 root
2 ya X R 1 advmod
3-4 10000 _ _ _ _
3 10 NUM CD 4 nummod
4 000 NUM CD 1 obl
";

fn conllu(name: &str, short: &str) -> Conllu {
    let line = |line: &str| {
        let fields: Vec<String> = line.split(' ').map(|field| field.replace('~', " ")).collect();
        match fields.as_slice() {
            [id, form, upos, xpos, head, relation] => {
                format!("{id}\t{form}\t_\t{upos}\t{xpos}\t_\t{head}\t{relation}\t_\t_\n")
            }
            _ => "\n".to_owned(),
        }
    };
    let text: String = short.lines().map(line).collect();
    Conllu::from_text(Path::new(name), &format!("{text}\n")).unwrap()
}

fn matches(correct: usize, gold: usize, system: usize) -> Matches {
    Matches { gold, system, correct }
}

/// Every count but `las_full` as `conll18_ud_eval.py --counts` prints it (version 1.2).
#[test]
fn words_are_aligned_by_characters_as_in_conll_2018() {
    let scores = evaluate_text(&conllu("gold", GOLD), &conllu("system", SYSTEM)).unwrap();
    let words = |correct| matches(correct, 12, 12);
    let expected = DependencyScores {
        tokens: matches(8, 9, 10),
        sentences: matches(1, 3, 3),
        words: words(8),
        upos: words(7),
        xpos: words(7),
        uas: words(5),
        las: words(4),
        // `nmod` for `nmod:poss`
        las_full: words(3),
    };
    assert_eq!(scores, expected);
    assert_eq!((scores.tokens.precision(), scores.tokens.recall(), scores.tokens.f1()), (0.8, 8.0 / 9.0, 16.0 / 19.0));
}

#[test]
fn gold_against_itself_is_perfect_with_gold_words_too() {
    let gold = conllu("gold", GOLD);
    let scores = evaluate_words(&gold, &gold).unwrap();
    assert_eq!(scores, evaluate_text(&gold, &gold).unwrap());
    assert_eq!((scores.las_full, scores.sentences.f1()), (matches(12, 12, 12), 1.0));
}

#[test]
fn other_characters_or_words_are_refused_with_the_line() {
    let refusal = |result: Result<DependencyScores>| result.unwrap_err().to_string();
    let (gold, system) = (conllu("gold", GOLD), conllu("system", SYSTEM));
    let other = conllu("system", &SYSTEM.replace("sleeps", "snores"));
    assert_eq!(
        refusal(evaluate_text(&gold, &other)),
        "system:9: the text continues with `noresvámonos10000`, but in gold:10 with `leepsvámonos10000`: both files \
         must have the same characters"
    );
    assert_eq!(refusal(evaluate_words(&gold, &system)), "system:2: the word is `can`, gold's is `ca`");
    let first = conllu("system", "1 She _ _ 0 root");
    assert_eq!(
        refusal(evaluate_words(&gold, &first)),
        "gold has 3 sentences, system has 1: with gold words, sentences must be the same"
    );
    let two = conllu("gold", "1 She _ _ 0 root\n2 . _ _ 1 punct");
    assert_eq!(refusal(evaluate_words(&two, &first)), "system:1: the sentence has 1 words, gold's has 2");
    let blank = conllu("system", "1 \u{a0} _ _ 0 root");
    assert_eq!(
        refusal(evaluate_text(&gold, &blank)),
        "system:1: the form is nothing but white space, so the word cannot be aligned"
    );
    let rootless = conllu("system", &SYSTEM.replace("can AUX MD 0", "can AUX MD 1"));
    assert_eq!(
        refusal(evaluate_text(&gold, &rootless)),
        "system:1: word 1 is its own ancestor: the heads form a cycle"
    );
}

#[test]
fn tags_heads_and_relations_are_counted_apart() {
    let (gold, mut system) = (conllu("gold", GOLD), conllu("gold", GOLD));
    system.sentences_mut()[0].set_head(0, Some(2)).unwrap();
    system.sentences_mut()[0].set_upos(1, "NOUN").unwrap();
    system.sentences_mut()[0].set_deprel(2, "x").unwrap();
    system.sentences_mut()[1].set_deprel(0, "nmod").unwrap();
    let scores = evaluate_words(&gold, &system).unwrap();
    let counts = [scores.words, scores.upos, scores.uas, scores.las, scores.las_full];
    assert_eq!(counts.map(|matches| matches.correct), [12, 11, 11, 10, 9]);
    assert!(counts.iter().all(|matches| (matches.gold, matches.system) == (12, 12)));
}

const GOLD_TREES: &str = "\
(TOP (S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (PRT (RP down)) (PP-LOC (IN on) (NP (DT the) (NN mat)))) (. .)))
(TOP (S (NP-SBJ-1 (PRP He)) (VP (VBZ seems) (S (NP (-NONE- *-1)) (VP (TO to) (VP (VB sleep))))) (. .)))
(TOP (S (`` ``) (S (NP (PRP I)) (VP (VBP agree))) (, ,) ('' '') (NP (PRP she)) (VP (VBD said)) (. .)))
(TOP (NP (NP (NNS dogs)) (CC and) (NP (NNS cats)) (PP (IN in) (NP (NNP Rome)))))
(TOP (FRAG (NP (NN Nothing)) (. .)))
(TOP (FRAG (. .) (: ...)))
(ROOT (NP (NN words)))
(TOP (S (NP (NP (DT a) (NN b)) (PP (IN c) (NP (NN d)))) (VP (VB e))))
";
const SYSTEM_TREES: &str = "\
(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat) (ADVP (RB down)) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))
(TOP (S (NP (PRP He)) (VP (VBZ seems) (S (VP (TO to) (VP (NN sleep))))) (. .)))
(TOP (S (S (`` ``) (NP (PRP I)) (VP (VBP agree)) (, ,)) ('' '') (NP (PRP she)) (VP (VBD said))))
(TOP (NP (NP (NNS dogs)) (CC and) (NP (NP (NNS cats)) (PP (IN in) (NP (NN Rome))))))
(())
(TOP (FRAG (. .) (: ...)))
(ROOT (NP (NN word)))
(TOP (S (NP (DT a) (NN b)) (VP (PP (IN c)) (NP (NP (NN d)) (VP (VB e))))))
";

fn brackets(gold: &str, system: &str, rules: &BracketRules) -> BracketScores {
    let gold: Vec<Tree> = read_trees(Path::new("gold"), gold).unwrap();
    let system = read_parses(Path::new("system"), system).unwrap();
    evaluate_brackets(&gold, &system, rules).unwrap()
}

/// `evalb -p COLLINS.prm -c 6 gold system`: length, status, matching, gold, test, crossing, words, tags.
#[test]
fn every_sentence_has_evalbs_counts() {
    let rules = BracketRules { cutoff: 6, ..BracketRules::collins() };
    let scores = brackets(GOLD_TREES, SYSTEM_TREES, &rules);
    let rows: Vec<[usize; 8]> = scores
        .sentences
        .iter()
        .map(|row| {
            let Matches { gold, system, correct } = row.brackets;
            [row.length, row.outcome as usize, correct, gold, system, row.crossing, row.words, row.correct_tags]
        })
        .collect();
    let expected = [
        [8, 0, 6, 6, 6, 0, 7, 6],
        [5, 0, 6, 6, 6, 0, 4, 3],
        [8, 0, 6, 6, 6, 0, 4, 4],
        [5, 0, 5, 5, 6, 0, 5, 4],
        [2, 2, 0, 0, 0, 0, 0, 0],
        [2, 2, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0, 0],
        [5, 0, 4, 6, 7, 2, 5, 5],
    ];
    assert_eq!(rows, expected);
    let printed = |totals: &BracketTotals| {
        let figures = [
            100.0 * totals.brackets.recall(),
            100.0 * totals.brackets.precision(),
            100.0 * totals.brackets.f1(),
            100.0 * totals.complete_match(),
            totals.average_crossing(),
            100.0 * totals.tagging_accuracy(),
        ];
        (totals.sentences, totals.errors, totals.skipped, figures.map(|figure| format!("{figure:.2}")).join(" "))
    };
    assert_eq!(printed(&scores.all), (8, 1, 2, "93.10 87.10 90.00 60.00 0.40 88.00".to_owned()));
    assert_eq!(printed(&scores.short), (6, 1, 2, "88.24 78.95 83.33 33.33 0.67 85.71".to_owned()));
    assert_eq!((scores.all.without_crossing, scores.all.two_crossing_or_less), (4, 5));
}

#[test]
fn totals_of_parts_add_up_to_those_of_the_whole() {
    let gold = read_trees(Path::new("gold"), GOLD_TREES).unwrap();
    let system = read_parses(Path::new("system"), SYSTEM_TREES).unwrap();
    let totals = |range: std::ops::Range<usize>| {
        evaluate_brackets(&gold[range.clone()], &system[range], &BracketRules::collins()).unwrap().all
    };
    let mut sum = BracketTotals::default();
    [0..3, 3..7, 7..8].into_iter().for_each(|part| sum += totals(part));
    assert_eq!(sum, totals(0..8));
    assert!(sum.errors > 0 && sum.skipped > 0 && sum.crossing > 0 && sum.complete > 0, "{sum:?}");
}

#[test]
fn a_root_of_any_name_is_no_bracket_unless_evalb_is_requested() {
    for root in ["TOP", "ROOT", "S1", ""] {
        let tree = format!("({root} (NP (NN a)))");
        assert_eq!(brackets(&tree, &tree, &BracketRules::default()).all.brackets, matches(1, 1, 1), "{root}");
        let evalb = brackets(&tree, &tree, &BracketRules::collins()).all.brackets.gold;
        assert_eq!(evalb, if root == "TOP" { 1 } else { 2 }, "{root}");
    }
}

#[test]
fn a_full_stop_tagged_as_a_noun_is_an_error_unless_gold_tags_decide() {
    let (gold, system) = ("(S (NP (NN a)) (NP (-NONE- *)) (. .))", "(S (NP (NN a) (NN .)))");
    let scores = brackets(gold, system, &BracketRules::default());
    assert_eq!((scores.all.errors, scores.all.brackets), (1, matches(0, 0, 0)));
    let rules = BracketRules { gold_tags_decide: true, ..BracketRules::default() };
    let scores = brackets(gold, system, &rules);
    assert_eq!((scores.all.errors, scores.all.brackets, scores.all.words), (0, matches(2, 2, 2), 1));
    assert_eq!(brackets("(A a)", "(X (A a) (A b))", &rules).all.errors, 1);
}

#[test]
fn labels_can_be_ignored_and_brackets_in_words_are_escaped() {
    let rules = BracketRules { labelled: false, ..BracketRules::default() };
    assert_eq!(brackets("(S (A a))", "(X (A a))", &rules).all.brackets, matches(1, 1, 1));
    assert_eq!(brackets("(S (A a))", "(X (A a))", &BracketRules::default()).all.brackets, matches(0, 1, 1));
    let gold = read_trees(Path::new("gold"), "(S (-LRB- -LRB-))").unwrap();
    let plain = crate::parse::bracketed::Normalisation::default().apply(&gold[0]);
    assert_eq!(evaluate_brackets(&gold, &[plain], &BracketRules::default()).unwrap().all.brackets.f1(), 1.0);
}

#[test]
fn numbers_of_trees_must_match_and_an_empty_file_scores_zero() {
    let error = evaluate_brackets(&[], &[None], &BracketRules::default()).unwrap_err();
    assert!(error.to_string().starts_with("0 gold trees, but 1 of the system"), "{error}");
    let scores = evaluate_brackets(&[], &[], &BracketRules::default()).unwrap();
    assert_eq!((scores.all.brackets.f1(), scores.all.complete_match()), (0.0, 0.0));
}
