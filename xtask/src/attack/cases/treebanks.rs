//! Texts, CoNLL-U files and bracketed trees: what `parse` reads.

use super::super::case::Case;
use super::super::prepare::Prepared;
use super::texts::REFERENCE;

pub const CONLLU: &str = "# newpar\n# sent_id = 1\n# text = the dog saw it.\n1\tthe\tthe\tDET\tDT\tA=b\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n\
                          3\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n4\tit\tit\tPRON\tPRP\t_\t3\tobj\t_\tSpaceAfter=No\n5\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n\
                          # sent_id = 2\n# text = cannot go\n1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\t_\n1\tcan\tcan\tAUX\tMD\t_\t3\taux\t_\t_\n2\tnot\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_\n\
                          2.1\tx\tx\tVERB\tVB\t_\t_\t_\t0:root\t_\n3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n";
pub const TREES: &str = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .)))\n\
                         (TOP (S (NP-SBJ (-NONE- *)) (VP (VB go)\n  (ADVP (RB there))) (. !)))\n((S (NP (NN rain)) (VP (VBD fell))))\n";

pub fn cases(prepared: &Prepared) -> Vec<Case> {
    vec![
        Case::new("parse", "plain text").weight(12).slowness(100.0).file("text", REFERENCE).lines(&[
            "parse text",
            "parse -f tree text",
            "parse -f brackets text -o out",
            "parse -f vectors text",
            "parse --split - <text",
            "parse -t moses text",
        ]),
        Case::new("parse", "CoNLL-U")
            .weight(40)
            .file("x.conllu", CONLLU)
            .fixed("toy", &prepared.dependency)
            .lines(&[
                "parse --conllu x.conllu -m toy",
                "parse --conllu x.conllu --evaluate -m toy",
                "parse --conllu x.conllu --evaluate --raw --split -m toy",
                "parse --conllu x.conllu --keep-lemmas -o out -m toy",
                "parse --conllu x.conllu -f tree -m toy",
            ]),
        Case::new("parse", "bracketed trees")
            .slowness(100.0)
            .weight(40)
            .file("x.ptb", TREES)
            .file("y.ptb", TREES)
            .fixed("toy", &prepared.constituency)
            .lines(&[
                "parse --trees x.ptb -m toy",
                "parse --trees x.ptb --evaluate -m toy",
                "parse --trees x.ptb -f tree -m toy",
                "parse --trees x.ptb y.ptb -o out -m toy",
            ]),
        Case::new("parse", "parser models")
            .weight(20)
            .fixed("text", REFERENCE)
            .file("words", &prepared.dependency)
            .file("phrases", &prepared.constituency)
            .lines(&[
                "parse -m words text",
                "parse -m phrases -f brackets text",
                "parse -m phrases -f vectors text",
            ]),
        Case::new("parse", "options")
            .weight(10)
            .fixed("text", REFERENCE)
            .fixed("toy", &prepared.dependency)
            .lines(&["parse text -m toy -t moses --threads 2 -f conllu", "parse text -m toy --split -o out"]),
    ]
}
