//! Generated input for the property tests: lines, segments, files in every format, intact and damaged.

use crate::invariants::judgements;
use crate::invariants::metrics::Example;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tercet::corpora::{Level, Submission, SubmissionFormat, SubmissionRow};

/// Pieces of lines that tools often handle wrongly: characters that look like line ends, byte order marks, joined
/// emoji, right-to-left text, characters whose lower case is longer, SGML, numbers with stops.
pub const PIECES: &[&str] = &[
    " ",
    " ",
    " ",
    "  ",
    "the",
    "The",
    "cat",
    "cats",
    "sat",
    "on",
    "mat",
    ".",
    ",",
    "?!",
    "...",
    "-",
    "'s",
    "\t",
    "\r",
    "\u{b}",
    "\u{1c}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{200b}",
    "\u{3000}",
    "\u{feff}",
    "\0",
    "3.14",
    "1,000",
    "7-8",
    "&amp;",
    "&quot;",
    "&lt;",
    "<skipped>",
    "-\n",
    "\n",
    "«",
    "€",
    "é",
    "e\u{301}",
    "İ",
    "ß",
    "ς",
    "שלום",
    "مرحبا",
    "你",
    "好",
    "。",
    "，",
    "カ",
    "\u{ff76}",
    "한국",
    "👩\u{200d}👩\u{200d}👧",
    "🏳\u{fe0f}",
    "٣",
    "𝟛",
    "\u{10ffff}",
];

pub fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        9 => select(PIECES).prop_map(str::to_owned),
        1 => vec(any::<char>(), 1..4).prop_map(String::from_iter),
    ];
    vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// Hypotheses that often share something with their reference, with one to three references.
pub fn example() -> impl Strategy<Value = Example> {
    (line(), line(), vec(line(), 0..3), 0..3usize).prop_map(|(start, end, mut others, kind)| {
        let hypothesis = match kind {
            0 => start.clone(),
            1 => format!("{end} {start}"),
            _ => end.clone(),
        };
        others.push(format!("{start} {end}"));
        Example { hypothesis, references: others }
    })
}

pub fn examples() -> impl Strategy<Value = Vec<Example>> {
    vec(example(), 0..5)
}

/// Makes choices below `n` from these numbers, repeated without end.
pub fn chooser(choices: &[u8]) -> impl FnMut(usize) -> usize + '_ {
    let mut choices = choices.iter().cycle();
    move |n| usize::from(*choices.next().expect("not empty")) % n
}

/// Files of lines, fields and numbers, sometimes with a byte that is not UTF-8.
pub fn file() -> impl Strategy<Value = Vec<u8>> {
    const FIELDS: &[&[u8]] = &[
        b"\n",
        b"\n",
        b"\t",
        b"\t",
        b"1",
        b"2",
        b"0.5",
        b"-1e-3",
        b"nan",
        b"inf",
        b"corpus",
        b"x",
        b" ",
        b"\r",
        b"\xc3\xa9",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\x1f\x8b",
        b"(\xb5/\xfd",
        b"system\tsegment\tmetric\tscore\n",
        b"x\t1\tm\t0.5\n",
        b"a\tb\n",
        b"c\td\n",
    ];
    let piece = prop_oneof![
        30 => select(FIELDS).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 1..3),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A valid file with some of its bytes removed, doubled, or replaced by bytes that are likely to cause errors.
pub fn damaged(good: &'static str) -> impl Strategy<Value = Vec<u8>> {
    const HURTS: &[&[u8]] = &[
        b"",
        b"\n",
        b"\t",
        b",",
        b" ",
        b"\"",
        b"+",
        b"-1",
        b"0",
        b"nan",
        b"1e999",
        b"\r\n",
        b"\xff",
        b"\xef\xbb\xbf",
        b"a",
        b"{",
        b"\x00",
    ];
    let cuts = vec((any::<prop::sample::Index>(), 0..4usize, select(HURTS)), 0..4);
    cuts.prop_map(move |cuts| {
        let mut bytes = good.as_bytes().to_vec();
        for (at, length, put) in cuts {
            let start = at.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, put.iter().copied());
        }
        bytes
    })
}

/// A damaged file of judgements.
pub fn damaged_judgements() -> impl Strategy<Value = Vec<u8>> {
    select(judgements::VALID).prop_flat_map(damaged)
}

/// A damaged file of this format, or any file.
pub fn near(good: &'static str) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => damaged(good), 1 => file()]
}

pub const SGML: &str = "<refset setid=\"s\" srclang=\"any\">\n<DOC docid=\"d1\" sysid='r'>\n\
    <hl><seg id=\"1\"> a &amp; b </seg></hl>\n\
    <p><seg id=2>c\nd</seg></p></DOC>\n<doc sysid=q docid=\"d1\"><seg>x</seg><seg/></doc></refset>\n";
pub const WMT_XML: &str = "<?xml version='1.0'?><dataset id=\"t\"><doc id=\"d\"><src><p><seg id=\"1\">s</seg></p></src>\
    <ref translator=\"A\"><seg id=\"1\">r</seg></ref><hyp system=\"X\"><seg id=\"1\">&#39;</seg></hyp></doc></dataset>";
pub const MQM: &str = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n\
    a\td\t1\t1\tr1\ts\t<v>t</v> u\tFluency/Punctuation\tMinor\nb\td\t1\t1\tr1\ts\tw\tNo-error\tNo-error\n\
    refA\td\t2\t2\tr2\ts\tw \tNon-translation!\tMajor\n";
pub const AVERAGES: &str = "system mqm_avg_score seg_id\na\t-1.5 1\na\tNone 2\nb 0 2\n";
pub const SIDES: &str = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# \
    see\n\
    a\td\t1\t1\tr\ts\tt\tOther\tMinor\t{\"timestamp\":1,\"side\":1,\"timing\":{\"x\":{\"log\":[{\"ts\":2}]}}}\n\
    b\td\t1\t1\tr\ts\tu\tOther\tMajor\t{\"timestamp\":2,\"side\":2}\n";
pub const EVAL_SET: [&str; 4] =
    ["a 1\na None\nb 2\nb 3\n", "x a 1\ny a 2\n", "x d\nx e\n", "{\"source\":\"a\",\"target\":null}\n"];
pub const SUBMISSIONS: [&str; 5] = [
    "M\tcs-en\tT\ta\t1\t0.5\nM\tcs-en\tT\ta\t2\t0.25\n",
    "M\tcs-en\tDAseg+T\ta\t1\t0.5\tnon-ensemble\tno\n",
    "M\tcs-en\tT\tref\ta\td\t1\t0.5\nM\tcs-en\tT\tref\ta\td\t2\t0.5\n",
    "M\tcs-en\tT\tall\trefA\ta\t0.5\nM\tcs-en\tT\tnews\trefA\ta\t1\n",
    "M\tcs-en\tT\tnews\t-\tsrc\ta\t1\t0.5\n",
];

/// Word vectors in every format: GloVe's, COMPOSES', word2vec's text and its binary, whose numbers are 0 and 0.5.
pub const WORD_VECTORS: [&str; 4] = [
    "the 0.5 -1e-3\n. . 1 2\n7 3 4\nthe 1 1\n",
    "the\t0.5\t-1e-3\nnew york\t1\t2\n",
    "2 2\nthe 0.5 -1e-3 \n</s> 1 2 \n",
    "2 2\nthe \0\0\0?\0\0\0\0\nof \0\0\0?\0\0\0?\n",
];
pub const CONLLU: &str = "# sent_id = 1\n1-2\tHe's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\
    1\tHe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n\
    2\t's\t_\tAUX\t_\t_\t0\troot\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n\
    1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tnmod:poss\t_\t_\n\n";
pub const BRACKETS: &str = "( (S (NP-SBJ-1 (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *-1))) (. .)))\n(())\n\
    (ROOT\n  (X (-LRB- -LRB-)))(A a)\n";
pub const SENTENCE_VECTORS: &str = "1\t0.5 2\n2\t1 2\na\t3 4\nb\t3 4\n\t0 0\n";

/// Brackets, labels and words in any order.
pub fn brackets() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: &[&str] =
        &["(", "(", "(S ", "(NP-SBJ ", "(NN a)", "(-NONE- *)", "(, ,)", ")", ")", ")", " ", "\n", "x", "-LRB-", "é"];
    vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat().into_bytes())
}

/// A tar archive of one file, `a`, that holds `abc`.
pub fn archive() -> Vec<u8> {
    let mut header = vec![0; 512];
    header[0] = b'a';
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(b"00000000003");
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header.extend(b"abc");
    header.resize(1536, 0);
    header
}

pub fn submission() -> impl Strategy<Value = Submission> {
    let name = || prop_oneof!["[a-z+.0-9-]{1,4}", "[ \ta-c]{1,3}"];
    let format = select(vec![2010, 2018, 2020, 2021, 2024]).prop_map(SubmissionFormat::of_year);
    let level = select(vec![Level::System, Level::Document, Level::Segment]);
    (format, level).prop_flat_map(move |(format, level)| {
        let in_documents = format != SubmissionFormat::of_year(2021) && format != SubmissionFormat::of_year(2010);
        let row = (name(), name(), "[a-z0-9]{1,4}", name(), name(), 1..9u32, any::<f64>(), any::<bool>());
        let row = row.prop_map(move |(metric, pair, test_set, system, other, segment, score, track)| {
            let modern = !matches!(format, SubmissionFormat::Wmt08 | SubmissionFormat::Wmt17);
            let documented = level != Level::System && modern && in_documents && other != "-";
            SubmissionRow {
                metric,
                pair,
                track: track.then(|| "DAseg".to_owned()),
                test_set,
                document: documented.then(|| other.clone()),
                reference: modern.then_some(other),
                system,
                segment: (level == Level::Segment).then_some(segment),
                score,
                ..SubmissionRow::default()
            }
        });
        vec(row, 1..4).prop_map(move |rows| Submission { format, level, rows })
    })
}

/// Two rows of scores, with many ties or few.
pub fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let score = prop_oneof![(-3..3i32).prop_map(f64::from), (-500..500i32).prop_map(|i| f64::from(i) / 8.0)];
    vec((score.clone(), score), 0..130).prop_map(|places| places.into_iter().unzip())
}

/// What [`chooser`] reads from.
pub fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 24)
}

/// A pair of a good and a damaged translation, with ACES's names of fields.
pub const CHALLENGE_JSONL: &str = "{\"good-translation\": \"a b\", \"incorrect-translation\": \"\", \
    \"reference\": \"a\", \"phenomena\": \"omission\", \"langpair\": \"de-en\"}\n";

/// The same as a table with names of our own.
pub const CHALLENGE_TSV: &str = "lp\tkind\tseverity\tsource\tref\tgood\tbad\n\
    de-en\tnumber\tminor\tEin \"Haus\".\tA house.\t\"One house.\tTwo houses.\n";

/// Pairs of SNLI as JSON lines.
pub const NLI_JSON: &str = "{\"gold_label\":\"neutral\",\"sentence1\":\"A dog runs.\",\
    \"sentence2\":\"It is \\\"big\\\".\",\"pairID\":\"1r1n\"}\n\
    {\"gold_label\":\"-\",\"sentence1\":\"a\",\"sentence2\":\"b\"}\n\
    {\"sentence2\":\"b\",\"sentence1\":\"a\",\"gold_label\":\"entailment\",\"annotator_labels\":[\"entailment\"]}\n";

/// Pairs of SNLI as a table.
pub const NLI_TABLE: &str = "gold_label\tsentence1\tsentence2\tpairID\tlabel1\n\
    neutral\tA dog runs.\tIt is big.\t1\tneutral\n\
    -\ta\tb\t2\ncontradiction\ta\tb\t3\t\n";

/// Rows with named fields, as JSON lines, in an array and as a table.
pub const ROWS_JSONL: &str = "{\"id\": 1, \"mt\": \"a \\\"b\\\"\\nc\", \"ref\": [\"d\", \"e\"], \"n\": 1.50}\n\
    {\"id\": \"x\", \"mt\": \"\", \"ref\": \"d\", \"more\": {\"in\": null}}\n";
pub const ROWS_JSON: &str =
    "{\"v\": 1, \"data\": [{\"mt\": \"a\", \"ref\": \"b\"},\n {\"mt\": \"c\\u00e9\", \"ref\": \"]}\"}]}";
pub const ROWS_CSV: &str = "id,mt,ref\r\n1,\"a, \"\"b\"\"\nc\",d\r\n\r\n2,,\"\"\r\n";

/// N-best lists as those of Moses.
pub const NBEST: &str =
    "0 ||| a b ||| LM= -1 TM= -2 ||| -3.5\n0 |||  ||| x ||| -4\n1 ||| a ||| ||| 1 ||| 0-0\n2 ||| b\n";
