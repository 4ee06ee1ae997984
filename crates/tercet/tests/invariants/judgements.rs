//! Properties of the readers of judgements: any bytes are read, or are an error with the file's name, never a panic;
//! and all indices in the result are valid.

use super::mqm::ratings_are_whole;
use super::readers::plain_text;
use std::path::Path;
use tercet::Result;
use tercet::corpora::formats::{self, AlignedFiles, AlignedScores, RankingTables};
use tercet::corpora::{Judgements, Level, Lines, find_judgements};

/// A small valid file of each kind, to be damaged.
pub const VALID: &[&str] = &[
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,\
     system3Number,system3Id,system1rank,system2rank,system3rank\n\
     French,English,5,-1,5,j1,-1,\"a,\"\"b\",-1,b,-1,c,1,2,-1\n\
     eng,cze,6,-1,6,j2,-1,a,-1,b,-1,c,2,2,1\n",
    "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n\
     fin,eng,7,7,j1,a+b,1,c,2,1\nfin,eng,7,7,j1,a+b,1,d,2,1\nfin,eng,7,7,j1,c,2,d,2,1\nfin,eng,8,8,j1,a,1,c,2,2\n",
    "ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n1\t2\tj\t1\ta\t1\n1\t2\tj\t2\tb\t2\n1\t2\tj\t2\tc\t2\n\
     2\t1\tj\t1\ta\t-1\n",
    "seg_id\tbetter\tworse\n2\ta\tb\n2\ta\tc\n",
    "seg_id\tsource\treference\n1\tun\tone\n2\t\u{feff}deux\t\"two\n",
    "seg_id\tsystem\ttext\n1\ta\tan one\n2\tb\ttoo\n2\tz\ttwo two\n",
    "one line\nanother \n",
    "0.25\n-1e-3\n",
    "LP\tDATA\tTHIS.SID\tORIG.SID\tSYSTEM\ncs-en\tx\t1\t\t11\ta\ncs-en\tx\t2\t12\tb\n",
    "LP SYSTEM SID HUMAN\ncs-en a 1 0.5\ncs-en b 2 NA\n",
    "LP DATA SYSTEM SID HUMAN\ncs-en x a+b 1 0.5\nde-en x a 1 -0.5\ncs-en x b 2 0.25\n",
    "LP HUMAN SYSTEM\ncs-en 0.5 a\nde-en 0.25 a\n",
    "LP DATA SID BETTER WORSE\ncs-en x 1 a b 26.0\ncs-en x 1 b c 30\n",
    "SYS SEGID RAW.SCR Z.SCR N SID\na d::1 92.0 0.59 1 1\nb d::1 12.0 -0.59 1 1\na e::1 50 0 2 2 \n",
    "RAW.SCR Z.SCR N SYS N.ALL \n73.79 0.018 627 a 877 \n71.8 -0.08 631 b 842 \n",
    "index\tda_mean\tda_z_mean\thter\tsource\tmt\tpost_edit\n0\t93.3\t1.0\t0.17\tüks\tone \tOne\n\
     1\t84\t0.78\t0\tkaks\ttwo\ttwo\n",
    "segid\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n\
     7\tüks\tone\t[1, 2]\t1.5\t[-1, 1]\t0.0\t-0.5\n",
    "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n1\tA dog\tA cat\t3.3\tNEUTRAL\n",
    "lp,src,mt,ref,score,system\nde-en,s1,\"a, b\",r1,3,x\nde-en,s1,c,r1,NA,y\nfi-en,s1,c,r1,-1,y\n",
    "{\"id\": 1, \"mt\": \"a\", \"refs\": [\"b\", \"c\"], \"score\": 1.5}\n\
     {\"id\": 2, \"mt\": \"\", \"refs\": [\"b\"], \"score\": 2}\n",
    "seg\tsystem\tscore\tsource\treference\thypothesis\tspans\n\
     x:1\ta\t-1\tun\tone\tan one\t[[0,2,\"minor\",\"Style\"],[-1,-1,\"major\",\"Omission\"]]\n\
     x:1\tb\t0\tun\tone\tone\t\n",
    "engces01,A,1,TGT,eng,ces,87,doc,False,\"[{\"\"start_i\"\": 0, \"\"end_i\"\": 3}]\",1.5,2.5\n\
     engces01,A,2,BAD,eng,ces,7,doc,False,[],1.5,2.5\n",
    "{\"user_id\": \"u\", \"item_i\": 0, \"item\": [{\"src\": \"s\", \"tgt\": {\"A\": \"abc\"}}], \"annotation\": \
     [{\"A\": {\"score\": 7, \"error_spans\": [{\"start_i\": 0, \"end_i\": 1, \"severity\": \"minor\"}]}}]}\n\
     {\"user_id\": \"u\", \"item_i\": 1, \"item\": [{\"src\": \"t\", \"tgt\": {\"A\": \"d\"}}], \"annotation\": \
     [{\"A\": {\"score\": 9, \"error_spans\": []}}]}\n",
    "[{\"id\": 1, \"data\": {\"src\": \"s\", \"mt\": \"abc\"}, \"annotations\": [{\"completed_by\": 2, \"result\": [\
     {\"value\": {\"number\": 3}}, {\"to_name\": \"mt\", \"value\": {\"start\": 0, \"end\": 2, \
     \"labels\": [\"Major\"]}}]}]}]",
    "{\"doc_id\": \"en-cs_#_news_#_1_#_0\", \"src_text\": \"s\", \"tgt_text\": {\"A\": \"abc\"}, \"scores\": {\"A\": \
     {\"human\": [{\"score\": 5, \"errors\": [{\"start_i\": 0, \"end_i\": 1, \"severity\": \"major\"}]}]}}}\n",
];

/// All indices are valid.
pub fn judgements(read: &Judgements) {
    let (systems, segments) = (read.systems.len(), read.segments.len());
    for ranking in &read.rankings {
        assert!(ranking.segment < segments);
        assert!(ranking.outputs.iter().all(|output| output.system < systems && output.rank != Some(0)));
    }
    for pair in &read.comparisons {
        assert!(pair.segment < segments && pair.first < systems && pair.second < systems && pair.first != pair.second);
    }
    assert!(read.documents.as_ref().is_none_or(|documents| documents.len() == segments));
    for scores in &read.scores {
        matrix(&scores.values, systems, if scores.level == Level::System { 1 } else { segments });
    }
    for scores in &read.metric_scores {
        matrix(&scores.values, scores.systems.len(), segments);
    }
    read.ratings.iter().for_each(|ratings| ratings_are_whole(ratings, read));
    if let Some(texts) = &read.texts {
        assert!(texts.sources.as_ref().is_none_or(|sources| sources.len() == segments));
        assert!(texts.references.iter().all(|reference| reference.lines.len() == segments));
        assert_eq!(texts.outputs.len(), systems);
        assert!(texts.outputs.iter().all(|outputs| outputs.len() == segments));
    }
}

fn matrix(values: &[Vec<Option<f64>>], systems: usize, items: usize) {
    assert_eq!(values.len(), systems);
    assert!(values.iter().all(|values| values.len() == items));
    assert!(values.iter().flatten().flatten().all(|value| value.is_finite()));
}

/// Checks the result, or the error message.
fn read_or_refused(read: Result<Vec<Judgements>>) -> Vec<Judgements> {
    match read {
        Ok(read) => {
            read.iter().for_each(judgements);
            read
        }
        Err(error) => {
            assert!(error.to_string().contains("input.txt"), "{error}");
            Vec::new()
        }
    }
}

fn one(read: Result<Judgements>) -> Vec<Judgements> {
    read_or_refused(read.map(|read| vec![read]))
}

/// The rankings of WMT12–14: all comparisons come from the rankings.
pub fn five_way(bytes: &[u8]) {
    let Some(lines) = plain_text(bytes) else { return };
    for read in read_or_refused(formats::parse_five_way(&lines)) {
        let drawn: Vec<_> = read.rankings.iter().flat_map(|ranking| ranking.comparisons()).collect();
        assert_eq!(drawn, read.comparisons);
    }
}

/// The rankings of WMT15–16: the rankings have no more pairs than the rows.
pub fn pairwise(bytes: &[u8]) {
    let Some(lines) = plain_text(bytes) else { return };
    for read in read_or_refused(formats::parse_pairwise(&lines)) {
        let drawn = read.rankings.iter().map(|ranking| ranking.comparisons().count()).sum::<usize>();
        assert!(drawn <= read.comparisons.len());
    }
}

/// Tables of rankings, pairs, segments and outputs, in any combination.
pub fn ranking_tables(parts: [Option<&[u8]>; 4]) {
    let [rankings, pairs, segments, outputs] = parts.map(|bytes| bytes.and_then(plain_text));
    one(RankingTables { rankings, pairs, segments, outputs }.judgements());
}

/// Line-aligned files: source, reference, output, scores, details or another file.
pub fn aligned(parts: [Option<&[u8]>; 6], table: bool) {
    let [source, reference, hypothesis, human, details, other] = parts.map(|bytes| bytes.and_then(plain_text));
    let (Some(hypothesis), Some(human)) = (hypothesis, human) else { return };
    let human = if table { AlignedScores::Table(human) } else { AlignedScores::Numbers(human, details) };
    let others: Vec<(String, Lines)> = other.into_iter().map(|lines| ("other".to_owned(), lines)).collect();
    one(AlignedFiles { source, reference, hypothesis, human, others }.judgements());
}

/// Tables of all pairs, one or two together.
pub fn da_tables(first: &[u8], second: Option<&[u8]>) {
    let tables: Vec<Lines> = [Some(first), second].into_iter().flatten().filter_map(plain_text).collect();
    read_or_refused(formats::parse_da_tables(&tables));
}

/// Scores of segments and systems of one pair.
pub fn da_scores(segments: Option<&[u8]>, systems: Option<&[u8]>) {
    let [segments, systems] = [segments, systems].map(|bytes| bytes.and_then(plain_text));
    one(formats::parse_da_scores(segments.as_ref(), systems.as_ref()));
}

/// MLQE-PE in both formats.
pub fn mlqe(bytes: &[u8]) {
    let Some(lines) = plain_text(bytes) else { return };
    one(formats::parse_mlqe_pe(&lines));
}

/// SICK.
pub fn related_sentences(bytes: &[u8]) {
    let Some(lines) = plain_text(bytes) else { return };
    one(formats::parse_sick(&lines));
    one(formats::parse_scored_texts(&lines));
    read_or_refused(formats::parse_rated(&lines));
}

/// Every reader on the same bytes, alone and in combination.
pub fn every_reader(first: &[u8], second: &[u8]) {
    five_way(first);
    pairwise(first);
    ranking_tables([Some(first), Some(second), None, None]);
    ranking_tables([None, Some(first), Some(second), Some(first)]);
    ranking_tables([Some(first), None, Some(second), None]);
    aligned([Some(first), Some(first), Some(first), Some(second), None, Some(second)], false);
    aligned([None, Some(first), Some(first), Some(second), Some(second), None], false);
    aligned([Some(first), None, Some(first), Some(second), None, None], true);
    da_tables(first, Some(second));
    da_scores(Some(first), Some(second));
    da_scores(None, Some(first));
    mlqe(first);
    related_sentences(first);
}

/// A file of any content through `find_judgements`: found and read, or an error with its name.
pub fn found(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("a scratch file can be written");
    let read = find_judgements(path).and_then(|sources| {
        assert!(!sources.is_empty());
        sources.iter().map(|source| source.read()).collect::<Result<Vec<_>>>()
    });
    match read {
        Ok(read) => read.iter().for_each(judgements),
        Err(error) => assert!(error.to_string().contains(&path.display().to_string()), "{error}"),
    }
}
