//! The papers that define metrics and tests, with their BibTeX entries.

/// A paper.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Paper {
    /// Its key in BibTeX.
    pub(super) key: &'static str,
    /// Authors and year, as in running text.
    pub(super) short: &'static str,
    /// Its entry.
    pub(super) bibtex: &'static str,
}

const BLEU: Paper = Paper {
    key: "papineni-2002-bleu",
    short: "Papineni et al., 2002",
    bibtex: r"@inproceedings{papineni-2002-bleu,
  title     = {{BLEU}: a Method for Automatic Evaluation of Machine Translation},
  author    = {Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing},
  booktitle = {Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics},
  year      = 2002,
  pages     = {311--318},
}",
};

const SACREBLEU: Paper = Paper {
    key: "post-2018-call",
    short: "Post, 2018",
    bibtex: r"@inproceedings{post-2018-call,
  title     = {A Call for Clarity in Reporting {BLEU} Scores},
  author    = {Post, Matt},
  booktitle = {Proceedings of the Third Conference on Machine Translation},
  year      = 2018,
  pages     = {186--191},
}",
};

const MOSES: Paper = Paper {
    key: "koehn-2007-moses",
    short: "Koehn et al., 2007",
    bibtex: r"@inproceedings{koehn-2007-moses,
  title     = {{Moses}: Open Source Toolkit for Statistical Machine Translation},
  author    = {Koehn, Philipp and others},
  booktitle = {Proceedings of the 45th Annual Meeting of the Association for Computational Linguistics, Demo and Poster Sessions},
  year      = 2007,
  pages     = {177--180},
}",
};

const NIST: Paper = Paper {
    key: "doddington-2002",
    short: "Doddington, 2002",
    bibtex: r"@inproceedings{doddington-2002,
  title     = {Automatic Evaluation of Machine Translation Quality Using N-gram Co-occurrence Statistics},
  author    = {Doddington, George},
  booktitle = {Proceedings of the Second International Conference on Human Language Technology Research},
  year      = 2002,
  pages     = {138--145},
}",
};

const CHRF: Paper = Paper {
    key: "popovic-2015-chrf",
    short: "Popović, 2015",
    bibtex: r"@inproceedings{popovic-2015-chrf,
  title     = {chr{F}: Character n-gram {F}-score for Automatic {MT} Evaluation},
  author    = {Popovi{\'c}, Maja},
  booktitle = {Proceedings of the Tenth Workshop on Statistical Machine Translation},
  year      = 2015,
  pages     = {392--395},
}",
};

const CHRF_WORDS: Paper = Paper {
    key: "popovic-2017-chrf",
    short: "Popović, 2017",
    bibtex: r"@inproceedings{popovic-2017-chrf,
  title     = {chr{F}++: Words Helping Character n-grams},
  author    = {Popovi{\'c}, Maja},
  booktitle = {Proceedings of the Second Conference on Machine Translation},
  year      = 2017,
  pages     = {612--618},
}",
};

const TER: Paper = Paper {
    key: "snover-2006-ter",
    short: "Snover et al., 2006",
    bibtex: r"@inproceedings{snover-2006-ter,
  title     = {A Study of Translation Edit Rate with Targeted Human Annotation},
  author    = {Snover, Matthew and Dorr, Bonnie and Schwartz, Richard and Micciulla, Linnea and Makhoul, John},
  booktitle = {Proceedings of the 7th Conference of the Association for Machine Translation in the Americas},
  year      = 2006,
  pages     = {223--231},
}",
};

const TERP: Paper = Paper {
    key: "snover-2009-terp",
    short: "Snover et al., 2009",
    bibtex: r"@article{snover-2009-terp,
  title   = {{TER-Plus}: Paraphrase, Semantic, and Alignment Enhancements to Translation Edit Rate},
  author  = {Snover, Matthew G. and Madnani, Nitin and Dorr, Bonnie and Schwartz, Richard},
  journal = {Machine Translation},
  volume  = 23,
  year    = 2009,
  pages   = {117--127},
}",
};

const METEOR: Paper = Paper {
    key: "denkowski-2014-meteor",
    short: "Denkowski and Lavie, 2014",
    bibtex: r"@inproceedings{denkowski-2014-meteor,
  title     = {Meteor Universal: Language Specific Translation Evaluation for Any Target Language},
  author    = {Denkowski, Michael and Lavie, Alon},
  booktitle = {Proceedings of the Ninth Workshop on Statistical Machine Translation},
  year      = 2014,
  pages     = {376--380},
}",
};

const LEVENSHTEIN: Paper = Paper {
    key: "levenshtein-1966",
    short: "Levenshtein, 1966",
    bibtex: r"@article{levenshtein-1966,
  title   = {Binary Codes Capable of Correcting Deletions, Insertions, and Reversals},
  author  = {Levenshtein, Vladimir I.},
  journal = {Soviet Physics Doklady},
  volume  = 10,
  number  = 8,
  year    = 1966,
  pages   = {707--710},
}",
};

const PER: Paper = Paper {
    key: "tillmann-1997-per",
    short: "Tillmann et al., 1997",
    bibtex: r"@inproceedings{tillmann-1997-per,
  title     = {Accelerated {DP} Based Search for Statistical Translation},
  author    = {Tillmann, Christoph and Vogel, Stephan and Ney, Hermann and Zubiaga, A. and Sawaf, Hassan},
  booktitle = {Proceedings of the 5th European Conference on Speech Communication and Technology},
  year      = 1997,
  pages     = {2667--2670},
}",
};

const CHARACTER: Paper = Paper {
    key: "wang-2016-character",
    short: "Wang et al., 2016",
    bibtex: r"@inproceedings{wang-2016-character,
  title     = {{CharacTer}: Translation Edit Rate on Character Level},
  author    = {Wang, Weiyue and Peter, Jan-Thorsten and Rosendahl, Hendrik and Ney, Hermann},
  booktitle = {Proceedings of the First Conference on Machine Translation},
  year      = 2016,
  pages     = {505--510},
}",
};

const ROUGE: Paper = Paper {
    key: "lin-2004-rouge",
    short: "Lin, 2004",
    bibtex: r"@inproceedings{lin-2004-rouge,
  title     = {{ROUGE}: A Package for Automatic Evaluation of Summaries},
  author    = {Lin, Chin-Yew},
  booktitle = {Text Summarization Branches Out},
  year      = 2004,
  pages     = {74--81},
}",
};

const GTM: Paper = Paper {
    key: "turian-2003-gtm",
    short: "Turian et al., 2003",
    bibtex: r"@inproceedings{turian-2003-gtm,
  title     = {Evaluation of Machine Translation and its Evaluation},
  author    = {Turian, Joseph P. and Shen, Luke and Melamed, I. Dan},
  booktitle = {Proceedings of Machine Translation Summit IX},
  year      = 2003,
}",
};

const ASIYA: Paper = Paper {
    key: "gimenez-2010-asiya",
    short: "Giménez and Màrquez, 2010",
    bibtex: r"@article{gimenez-2010-asiya,
  title   = {Asiya: An Open Toolkit for Automatic Machine Translation (Meta-)Evaluation},
  author  = {Gim{\'e}nez, Jes{\'u}s and M{\`a}rquez, Llu{\'i}s},
  journal = {The Prague Bulletin of Mathematical Linguistics},
  number  = 94,
  year    = 2010,
  pages   = {77--86},
}",
};

const BERTSCORE: Paper = Paper {
    key: "zhang-2020-bertscore",
    short: "Zhang et al., 2020",
    bibtex: r"@inproceedings{zhang-2020-bertscore,
  title     = {{BERTScore}: Evaluating Text Generation with {BERT}},
  author    = {Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav},
  booktitle = {International Conference on Learning Representations},
  year      = 2020,
}",
};

const PAIRWISE: Paper = Paper {
    key: "guzman-2015-pairwise",
    short: "Guzmán et al., 2015",
    bibtex: r"@inproceedings{guzman-2015-pairwise,
  title     = {Pairwise Neural Machine Translation Evaluation},
  author    = {Guzm{\'a}n, Francisco and Joty, Shafiq and M{\`a}rquez, Llu{\'i}s and Nakov, Preslav},
  booktitle = {Proceedings of the 53rd Annual Meeting of the Association for Computational Linguistics},
  year      = 2015,
  pages     = {805--814},
}",
};

const REVAL: Paper = Paper {
    key: "gupta-2015-reval",
    short: "Gupta et al., 2015",
    bibtex: r"@inproceedings{gupta-2015-reval,
  title     = {{ReVal}: A Simple and Effective Machine Translation Evaluation Metric Based on Recurrent Neural Networks},
  author    = {Gupta, Rohit and Or{\u{a}}san, Constantin and van Genabith, Josef},
  booktitle = {Proceedings of the 2015 Conference on Empirical Methods in Natural Language Processing},
  year      = 2015,
  pages     = {1066--1072},
}",
};

const RUSE: Paper = Paper {
    key: "shimanaka-2018-ruse",
    short: "Shimanaka et al., 2018",
    bibtex: r"@inproceedings{shimanaka-2018-ruse,
  title     = {{RUSE}: Regressor Using Sentence Embeddings for Automatic Machine Translation Evaluation},
  author    = {Shimanaka, Hiroki and Kajiwara, Tomoyuki and Komachi, Mamoru},
  booktitle = {Proceedings of the Third Conference on Machine Translation},
  year      = 2018,
  pages     = {751--758},
}",
};

const BLEND: Paper = Paper {
    key: "ma-2017-blend",
    short: "Ma et al., 2017",
    bibtex: r"@inproceedings{ma-2017-blend,
  title     = {Blend: a Novel Combined {MT} Metric Based on Direct Assessment},
  author    = {Ma, Qingsong and Graham, Yvette and Wang, Shugen and Liu, Qun},
  booktitle = {Proceedings of the Second Conference on Machine Translation},
  year      = 2017,
  pages     = {598--603},
}",
};

const TERCET: Paper = Paper {
    key: "tercet",
    short: "tercet",
    bibtex: concat!(
        "@software{tercet,\n  title   = {tercet: a toolkit for judging machine translation},\n",
        "  author  = {{the tercet authors}},\n  version = {",
        env!("CARGO_PKG_VERSION"),
        "},\n}"
    ),
};

pub(super) const BOOTSTRAP: Paper = Paper {
    key: "efron-1993",
    short: "Efron and Tibshirani, 1993",
    bibtex: r"@book{efron-1993,
  title     = {An Introduction to the Bootstrap},
  author    = {Efron, Bradley and Tibshirani, Robert J.},
  publisher = {Chapman and Hall},
  year      = 1993,
}",
};

pub(super) const PAIRED_BOOTSTRAP: Paper = Paper {
    key: "koehn-2004-significance",
    short: "Koehn, 2004",
    bibtex: r"@inproceedings{koehn-2004-significance,
  title     = {Statistical Significance Tests for Machine Translation Evaluation},
  author    = {Koehn, Philipp},
  booktitle = {Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing},
  year      = 2004,
  pages     = {388--395},
}",
};

pub(super) const RANDOMISATION: Paper = Paper {
    key: "riezler-2005",
    short: "Riezler and Maxwell, 2005",
    bibtex: r"@inproceedings{riezler-2005,
  title     = {On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}},
  author    = {Riezler, Stefan and Maxwell, John T.},
  booktitle = {Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation and/or Summarization},
  year      = 2005,
  pages     = {57--64},
}",
};

/// Accuracy and Kendall's τ with calibrated ties.
pub(super) const TIES: Paper = Paper {
    key: "deutsch-2023-ties",
    short: "Deutsch et al., 2023",
    bibtex: r"@inproceedings{deutsch-2023-ties,
  title     = {Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration},
  author    = {Deutsch, Daniel and Foster, George and Freitag, Markus},
  booktitle = {Proceedings of the 2023 Conference on Empirical Methods in Natural Language Processing},
  year      = 2023,
}",
};

/// The permutation test between metrics.
pub(super) const PERM_BOTH: Paper = Paper {
    key: "deutsch-2021-resampling",
    short: "Deutsch et al., 2021",
    bibtex: r"@article{deutsch-2021-resampling,
  title   = {A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods},
  author  = {Deutsch, Daniel and Dror, Rotem and Roth, Dan},
  journal = {Transactions of the Association for Computational Linguistics},
  volume  = 9,
  year    = 2021,
}",
};

/// The papers of each metric, by its name.
const OF_METRICS: &[(&str, &[Paper])] = &[
    ("bleu", &[BLEU, SACREBLEU]),
    ("sentbleu", &[BLEU, MOSES]),
    ("nist", &[NIST]),
    ("chrf", &[CHRF, CHRF_WORDS]),
    ("ter", &[TER]),
    ("terp", &[TERP]),
    ("meteor", &[METEOR]),
    ("wer", &[LEVENSHTEIN]),
    ("per", &[PER]),
    ("cer", &[LEVENSHTEIN]),
    ("character", &[CHARACTER]),
    ("rouge", &[ROUGE]),
    ("gtm", &[GTM]),
    ("overlap", &[ASIYA]),
    ("bertscore", &[BERTSCORE]),
    ("pairwise", &[PAIRWISE]),
    ("reval", &[REVAL]),
    ("ruse", &[RUSE]),
    ("blend", &[BLEND]),
    ("siamese", &[TERCET]),
];

/// The papers to cite for a metric; none for scores of another tool.
pub(super) fn of_metric(name: &str) -> &'static [Paper] {
    OF_METRICS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, papers)| papers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_paper_and_every_entry_its_key() {
        for info in crate::registry().metrics() {
            assert!(!of_metric(info.name).is_empty(), "{}", info.name);
        }
        for paper in OF_METRICS.iter().flat_map(|(_, papers)| papers.iter()) {
            let start = paper.bibtex.split_once('{').map(|(_, rest)| rest.split_once(','));
            assert_eq!(start.flatten().map(|(key, _)| key), Some(paper.key));
            assert_eq!(paper.bibtex.matches('{').count(), paper.bibtex.matches('}').count(), "{}", paper.key);
        }
    }
}
