//! Human judgements in every format, and scores of metrics for them: what `correlate` and `systems` read.

use super::super::case::Case;
use super::super::compression::gzip;

/// Command lines for a set with texts of several systems, in the folder `set`.
const TEXTS: [&str; 4] = [
    "correlate set -m bleu -m chrf -n 20",
    "correlate set -m sentbleu -f json -n 20",
    "correlate set -m chrf -m ter --level system -f markdown -n 20 --plot plot.svg",
    "correlate set -m chrf --level segment -f tsv -n 20 -o out",
];

/// For a set with texts of one system.
const ONE_SYSTEM: [&str; 4] = [
    "correlate set -m bleu -m chrf -n 20",
    "correlate set -m sentbleu -f json -n 20 --interval fisher",
    "correlate set -m chrf -m ter --level segment -f markdown -n 20 --plot plot.svg",
    "correlate set -m chrf --level segment -f tsv -n 20 -o out --test williams",
];

/// For a set that systems can be ranked by.
const SYSTEMS: [&str; 3] =
    ["systems set -n 20", "systems set -n 20 -f json", "systems set -n 20 -f markdown -o out"];

pub fn cases() -> Vec<Case> {
    let mut cases = rankings();
    cases.extend(assessments());
    cases.extend(others());
    cases.extend(mqm());
    cases.push(eval_set());
    cases.extend(metric_scores());
    cases
}

fn set(reader: &'static str, files: &[(&str, &str)]) -> Case {
    Case::new("correlate, systems", reader).weight(20).files(files)
}

const SEGMENTS: &str = "seg_id\tsource\treference\n1\tDie Bäckerei öffnet um fünf.\tThe bakery opens at five.\n\
                        2\tWir haben den Zug verpasst.\tWe missed the train.\n";
const OUTPUTS: &str = "seg_id\tsystem\ttext\n1\tgood\tThe bakery opens at five.\n1\tbad\tBakery open.\n1\tfair\tBakery opens five.\n\
                       2\tgood\tWe missed the train.\n2\tfair\tWe missed train.\n2\tbad\tTrain miss we.\n";

const SCORES: &str = "system\tsegment\tmetric\tscore\ngood\t1\tm\t0.5\ngood\t2\tm\t0.1\nbad\t1\tm\t0.7\nbad\t2\tm\t0.2\nfair\t1\tm\t0.3\nfair\t2\tm\t0.9\n";

fn rankings() -> Vec<Case> {
    let five_way = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,system3Number,system3Id,system1rank,system2rank,system3rank\n\
                    French,English,7,-1,1,j,1,good,2,bad,3,fair,1,3,2\nFrench,English,8,-1,2,k,1,good,2,bad,3,fair,1,2,2\nces,eng,7,doc,2,k,1,good,2,-1,3,bad,1,-1,2\n";
    let pairwise = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n\
                    fin,eng,1,1,j,good,1,bad,3,5\nfin,eng,1,1,j,good,1,fair,2,5\nfin,eng,1,1,j,bad,3,fair,2,5\nfin,eng,2,2,j,good+fair,1,bad,2,6\n";
    let ranking_table = "ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n4\t1\tj\t1\tgood\t1\n4\t1\tj\t2\tbad\t3\n4\t1\tj\t3\tfair\t2\n\
                         5\t2\tj\t1\tgood\t1\n5\t2\tj\t2\tbad\t2\n5\t2\tj\t2\tfair\t-1\n";
    let pairs = "seg_id\tbetter\tworse\n1\tgood\tbad\n1\tgood\tfair\n1\tfair\tbad\n2\tgood\tbad\n";
    vec![
        set("rankings, a row each", &[("set/newstest2013.csv", five_way)]).lines(&SYSTEMS),
        set("rankings, pairs of outputs", &[("set/wmt16.csv", pairwise), ("table", SCORES)])
            .lines(&SYSTEMS)
            .lines(&["correlate set --scores table -n 20"]),
        set(
            "ranking tables",
            &[
                ("set/rankings.de-en.tsv", ranking_table),
                ("set/pairs.de-en.tsv", pairs),
                ("set/segments.de-en.tsv", SEGMENTS),
                ("set/outputs.de-en.tsv", OUTPUTS),
            ],
        )
        .lines(&TEXTS)
        .lines(&SYSTEMS),
        set(
            "pairs and text folders",
            &[
                ("set/pairs.cs-en.tsv", "seg_id\tbetter\tworse\n1\tx\ty\n2\tx\ty\n2\ty\tx\n"),
                ("set/references/newstest2013-ref.en", "the cat sat\non the mat\n"),
                ("set/sources/newstest2013-src.cs", "kočka seděla\nna rohoži\n"),
                ("set/system-outputs/cs-en/x", "the cat sat\non mat\n"),
                ("set/system-outputs/cs-en/y", "cat\nthe mat\n"),
            ],
        )
        .lines(&TEXTS)
        .lines(&SYSTEMS),
    ]
}

fn assessments() -> Vec<Case> {
    vec![
        set("direct assessment, aligned", &[
            ("set/DAseg.newstest2016.source.cs-en", "a\nb\nc\n"),
            ("set/DAseg.newstest2016.reference.cs-en", "the cat\nthe dog\nno one\n"),
            ("set/DAseg.newstest2016.mt-system.cs-en", "the cat\na dog\nnobody\n"),
            ("set/DAseg.newstest2016.human.cs-en", "0.5\n-0.25\n1e-2\n"),
            ("set/DAseg.newstest2016.sbleu.cs-en", "0.1\n0.2\n0.3\n"),
            ("set/DAseg.newstest2016.details.cs-en", "LP\tDATA\tTHIS.SID\tORIG.SID\tSYSTEM\ncs-en\tn\t1\t11\ts\ncs-en\tn\t2\t12\tt\ncs-en\tn\t3\t13\ts\n"),
        ]).lines(&ONE_SYSTEM),
        set("direct assessment, newstest2013", &[
            ("set/src.es-en", "a\nb\n"),
            ("set/ref.es-en", "the cat\nthe dog\n"),
            ("set/sys.es-en", "cat\nthe dog\n"),
            ("set/human-scores.es-en.csv", "LP SYSTEM SID HUMAN\nes-en s 1 0.5\nes-en t 2 -0.5\n"),
        ]).lines(&ONE_SYSTEM),
        set("direct assessment, tables", &[
            ("set/DA-seglevel.csv", "LP DATA SYSTEM SID HUMAN\ncs-en newstest2017 a.1+b.2 1 0.5\ncs-en newstest2017 c.3 1 -0.5\ncs-en newstest2017 a.1 2 0.25\ncs-en newstest2017 c.3 2 1.5\n"),
            ("set/DA-syslevel.csv", "LP HUMAN SYSTEM\ncs-en 0.3 a.1\ncs-en 0.1 b.2\ncs-en -0.2 c.3\n"),
            ("set/DArr-seglevel.csv", "LP DATA SID BETTER WORSE\ncs-en newstest2017 1 a.1 c.3\ncs-en newstest2017 2 c.3 a.1\n"),
            ("set/references/newstest2017-csen-ref.en", "the cat\nthe dog\n"),
            ("set/system-outputs/cs-en/newstest2017.a.1.cs-en", "the cat\na dog\n"),
        ]).lines(&SYSTEMS),
        set("direct assessment, scores", &[
            ("set/ad-seg-scores-cs-en.csv", "SYS SID RAW.SCR Z.SCR N\na 1 80 0.5 1\na 2 70 0.25 2\nb 1 40 -0.5 1\nb 2 60 -0.1 1\n"),
            ("set/ad-sys-scores-cs-en.csv", "RAW.SCR Z.SCR N SYS N.ALL\n75 0.375 2 a 3\n50 -0.3 2 b 2\n"),
        ]).lines(&SYSTEMS),
        Case::new("correlate, systems", "set of given scores").weight(10).file(
            "set/DA-syslevel.csv", "LP HUMAN SYSTEM\ncs-en 0.3 a.1\ncs-en 0.1 b.2\ncs-en -0.2 c.3\ncs-en 0.2 d.4\n",
        ).file("m.sys.score", "m\tcs-en\tnewstest2017\ta.1\t0.3\nm\tcs-en\tnewstest2017\tb.2\t0.2\nm\tcs-en\tnewstest2017\tc.3\t0.1\nm\tcs-en\tnewstest2017\td.4\t0.4\n")
            .lines(&["correlate set --scores m.sys.score -n 20", "correlate set --scores m.sys.score -f json -n 20 --plot plot.svg"]),
    ]
}

fn others() -> Vec<Case> {
    vec![
        set(
            "MLQE-PE",
            &[
                (
                    "set/et-en.test.tsv",
                    "index\tda_mean\tda_z_mean\thter\tsource\tmt\tpost_edit\n1\t84\t0.75\t0.5\tüks\tone cat\tOne cat\n2\t50\t-0.75\t0.1\tkaks\ttwo dogs\tTwo dogs\n3\t55\t0\t0.2\tkolm\tthree\tThree\n",
                ),
                (
                    "set/test20.eten.df.short.tsv",
                    "segid\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n7\tüks\tone\t[1, 2]\t1.5\t[-1, 1]\t0.0\t-0.5\n8\tkaks\ttwo\t[3, 2]\t2.5\t[-1, 1]\t0.5\t-0.25\n",
                ),
            ],
        )
        .lines(&ONE_SYSTEM),
        set(
            "SICK",
            &[(
                "set/SICK.txt",
                "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n1\tA cat sits\tA cat is sitting\t4.8\tENTAILMENT\n2\tA dog runs\tNo one walks\t1.2\tNEUTRAL\n3\tTwo men eat\tMen are eating\t4\tENTAILMENT\n",
            )],
        )
        .lines(&ONE_SYSTEM),
    ]
}

fn mqm() -> Vec<Case> {
    let header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity";
    let errors = format!(
        "{header}\na\td\t1\t1\tr1\tdie Katze\t<v>cat</v> sat\tAccuracy/Omission\tMajor\na\td\t2\t2\tr1\tder Hund\tthe dog\tNo-error\tNo-error\n\
                          b\td\t1\t1\tr1\tdie Katze\tthe cat\tFluency/Punctuation\tMinor\nb\td\t2\t2\tr2\tder Hund\tdog\tNon-translation!\tMajor\n\
                          ref\td\t1\t1\tr1\tdie Katze\tthe cat sat\tNo-error\tNo-error\nref\td\t2\t2\tr1\tder Hund\tthe dog\tNo-error\tNo-error\n"
    );
    let row = |system: &str, segment: u32, severity: &str, side: u32| {
        format!(
            "{system}\td\t{segment}\t{segment}\t{segment}\tr1\tdie Katze\tthe <v>cat</v>\tAccuracy\t{severity}\t\
                 {{\"timestamp\":{segment}5,\"side\":{side},\"timing\":{{\"next-arrow\":{{\"log\":[{{\"ts\":{segment}7,\"side\":1}}]}}}}}}\n"
        )
    };
    let mut side_by_side =
        "system\tdoc\tdocSegId\tglobalSegId\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
            .to_owned();
    for segment in 1..3 {
        side_by_side += &row("a", segment, "Minor", 1);
        side_by_side += &row("b", segment, "Major", 2);
    }
    let averages = "system\tmqm_avg_score\tseg_id\na\t-1.5\t1\na\t0.0\t2\nb\t-0.1\t1\nb\tNone\t2\nref-A\t0.0\t1\nref-A\t0\t2\n";
    vec![
        set("MQM errors", &[("set/mqm_news_deen.tsv", &errors)])
            .file("set/mqm_ted_deen.tsv.gz", gzip(errors.as_bytes()))
            .lines(&TEXTS)
            .lines(&SYSTEMS),
        set("MQM averages", &[("set/mqm_ted_zhen.avg_seg_scores.tsv", averages)]).lines(&SYSTEMS),
        set("MQM side by side", &[("set/sxs_mqm_generalMT2023_deen.tsv", &side_by_side)])
            .file("set/sxs_mqm_more_deen.tar", tar("sxs_mqm_more_deen.tsv", side_by_side.as_bytes()))
            .lines(&SYSTEMS),
    ]
}

/// A tar archive of one file.
fn tar(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
    header[148..156].copy_from_slice(b"        ");
    header[156] = b'0';
    header[257..262].copy_from_slice(b"ustar");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut archive = header;
    archive.extend_from_slice(bytes);
    archive.resize(archive.len().next_multiple_of(512) + 1024, 0);
    archive
}

fn eval_set() -> Case {
    set(
        "EvalSet",
        &[
            ("set/sources/en-de.txt", "one cat\ntwo dogs\nthree men\n"),
            ("set/documents/en-de.docs", "news\td1\nnews\td1\nspeech\td2\n"),
            ("set/references/en-de.refA.txt", "eine Katze\nzwei Hunde\ndrei Männer\n"),
            (
                "set/references/en-de.refB.jsonl",
                "{\"target\": \"Katze\"}\n{\"target\": \"zwei Hunde\"}\n{\"target\": \"drei\"}\n",
            ),
            ("set/system-outputs/en-de/a.txt", "Katze\nzwei Hund\ndrei Mann\n"),
            ("set/system-outputs/en-de/b.txt", "eine Katze\nHunde\nMänner drei\n"),
            ("set/system-outputs/en-de/refA.txt", "eine Katze\nzwei Hunde\ndrei Männer\n"),
            ("set/human-scores/en-de.mqm.seg.score", "a\t-1\na\t-2.5\na\tNone\nb\t0\nb\t-1\nb\t-3\n"),
            ("set/human-scores/en-de.mqm.sys.score", "a\t-1.75\nb\t-1.33\n"),
            (
                "set/metric-scores/en-de/m-refA.seg.score",
                "a\t0.1\na\t0.2\na\t0.3\nb\t0.5\nb\t0.25\nb\t0.125\n",
            ),
            ("set/metric-scores/en-de/m-refA.sys.score", "a\t0.2\nb\t0.3\n"),
        ],
    )
    .weight(40)
    .lines(&TEXTS)
    .lines(&SYSTEMS)
    .lines(&[
        "correlate set -n 20 --stored",
        "correlate set -n 20 --statistic acc-23 --grouping item --stored -f json",
        "correlate set -n 20 --statistic spa --statistic pearson -f latex",
    ])
}

fn metric_scores() -> Vec<Case> {
    let judged = [
        ("set/pairs.de-en.tsv", "seg_id\tbetter\tworse\n1\tgood\tbad\n2\tgood\tfair\n2\tfair\tbad\n"),
        ("set/segments.de-en.tsv", SEGMENTS),
        ("set/outputs.de-en.tsv", OUTPUTS),
    ];
    let fixed = judged
        .iter()
        .fold(Case::new("correlate", "scores of metrics"), |case, (name, text)| case.fixed(name, text));
    let submission = |columns: &str| -> String {
        ["good", "bad", "fair"]
            .iter()
            .flat_map(|system| {
                (1..3).map(move |segment| {
                    columns
                        .replace("SYSTEM", system)
                        .replace("SEGMENT", &segment.to_string())
                        .replace(' ', "\t")
                        + "\n"
                })
            })
            .collect()
    };
    vec![
        fixed
            .weight(50)
            .file("table", SCORES)
            .file("m-ref.seg.score", "good\t1\ngood\t2\nbad\t0.5\nbad\t-1\nfair\t3\nfair\t0\n")
            .file("old.seg.score", submission("m de-en set SYSTEM SEGMENT 0.5"))
            .file(
                "new.seg.score.gz",
                gzip(submission("m de-en set all - refA SYSTEM SEGMENT 0.25").as_bytes()),
            )
            .file("mid.seg.score", submission("m de-en set SYSTEM SEGMENT 0.5 non-ensemble yes"))
            .lines(&[
                "correlate set --scores table -n 20",
                "correlate set --scores m-ref.seg.score -n 20 -f json",
                "correlate set --scores old.seg.score -n 20",
                "correlate set --scores new.seg.score.gz -n 20 -f tsv",
                "correlate set --scores mid.seg.score -n 20 --lower-is-better m",
                "correlate set --scores table m-ref.seg.score -n 20 --p-values",
            ]),
    ]
}
