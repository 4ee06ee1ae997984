//! Bit-identical training: hashes of the weights of small models of every kind, recorded before their trainings shared
//! code. A hash that differs means that training has changed. An encoder of `siamese` is not among them.
//!
//! Digits depend on whether the processor has fused multiply-add, and on the system's logarithm: on other systems
//! nothing is tested.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]

use crate::test_dir::TestDir;
use crate::toy_language::{CONSTITUENCY, DEPENDENCY, treebank, trees};
use crate::train::{RECIPE, dir};
use crate::{train_infersent, train_reval, train_ruse, train_siamese};
use sha2::{Digest, Sha256};

/// The first 16 digits of the hash of a safetensors file without its header.
fn weights_hash(dir: &TestDir, model: &str) -> String {
    let bytes = dir.read(model);
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let digits = Sha256::digest(&bytes[8 + header..]).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    digits[..16].to_owned()
}

fn check(dir: &TestDir, kind: &str, recipe: &str, expected: &[(&str, &str)]) {
    if !std::is_x86_feature_detected!("fma") {
        return;
    }
    dir.write("digits.toml", recipe.as_bytes());
    dir.stdout(&["train", kind, "digits.toml", "-q", "--force", "-o", "model"]);
    for (file, hash) in expected {
        assert_eq!(weights_hash(dir, file), *hash, "{file} of:\n{recipe}");
    }
}

const ENCODERS: &str = "encoders = [\"average:file=vectors.txt\"]\n";

fn with_words(words: &str) -> String {
    let words = format!("[words]\nembedding_dropout = 0.1\nhidden_dropout = 0.2\n{words}\n");
    RECIPE.replace(ENCODERS, &words).replace("patience = 8", "cost = \"logistic-then-kendall\"")
}

#[test]
fn pairwise_networks_over_ready_vectors() {
    let dir = dir();
    let alone = RECIPE.replace("development = [\"wmt14-rr\"]\n", "");
    let cost = |text: &str| RECIPE.replace("patience = 8", text);
    for (recipe, hash) in [
        (RECIPE.to_owned(), "9a7ab8e6b5068800"),
        (cost("cost = \"kendall\"\npatience = 3\noptimizer = \"adam\""), "3528033757097cc0"),
        (cost("cost = \"logistic-then-kendall\"\npatience = 3"), "26801bb058af2997"),
        (alone.replace("patience = 8", "symmetric = false\noptimizer = \"sgd\""), "3b5acb9d64e7068d"),
    ] {
        check(&dir, "pairwise", &recipe, &[("model", hash)]);
    }
}

#[test]
fn pairwise_networks_with_learned_encoders() {
    let dir = dir();
    for (words, hash) in [
        ("file = \"vectors.txt\"\nfine_tuning = \"moderate\"", "749a57134d7e2eae"),
        ("dimension = 6\nencoding = \"convolution\"\nfilters = 5", "f01b629f96365020"),
        ("file = \"vectors.txt\"\nencoding = \"lstm\"\nunits = 4", "a7f502a5caebb48f"),
        ("dimension = 6\nencoding = \"bilstm\"\nunits = 3\ngate = \"logistic\"", "50371a2a62a559b7"),
    ] {
        check(&dir, "pairwise", &with_words(words), &[("model", hash)]);
    }
}

#[test]
fn dependency_parsers() {
    let dir = TestDir::with(&[("train.conllu", &treebank(0..60)), ("dev.conllu", &treebank(60..72))]);
    check(&dir, "parser", DEPENDENCY, &[("model", "3a2528d9859d0738")]);
    dir.write("texts", b"she saw an old cat .\nshe saw an old dog .\nthe house is a house .\n");
    let teacher = "[texts]\nfiles = [\"texts\"]\ntokenizer = \"none\"\n[teacher.training]\nsteps = 40\n";
    let expected = [("model.teacher.safetensors", "b8cf0953e6749b90"), ("model", "7f9c21b73527a4a5")];
    check(&dir, "parser", &format!("{DEPENDENCY}{teacher}"), &expected);
}

#[test]
fn constituency_parsers() {
    let dir = TestDir::with(&[("trees/a.ptb", &trees(40))]);
    check(&dir, "parser", CONSTITUENCY, &[("model", "639443763181aaa5")]);
}

#[test]
fn reval_networks() {
    let dir = train_reval::dir();
    let recipe = train_reval::RECIPE;
    let mix = format!("{recipe}[mix]\nwords = 6\n[mix.network]\nencoding = \"lstm\"\n[model]\nprecision = \"8-bit\"\n");
    let both = "objective = \"both\"\nbatch_by = \"reference\"\nrate = \"falling\"\nbatch = 3";
    for (recipe, hash) in [
        (recipe.to_owned(), "f9202e393ca51175"),
        (recipe.replace("batch = 10", both), "d8f344a0e580e42d"),
        (mix.replace("\"vectors.txt\"", "\"vectors.txt\"\nfine_tuning = \"moderate\""), "aaf873e3a24fa408"),
    ] {
        check(&dir, "reval", &recipe, &[("model", hash)]);
    }
}

#[test]
fn regressions() {
    let dir = train_ruse::dir();
    let ruse = train_ruse::BLEND
        .replace("blend", "ruse")
        .replace("[inputs]", "[inputs]\nencoders = [\"average:file=vectors.txt\"]\ncomponents = [\"bleu\"]");
    check(&dir, "blend", train_ruse::BLEND, &[("model", "62f1360906b0326a")]);
    for (method, hash) in [
        ("kernel = \"linear\"", "3fed77b2b9cadaf8"),
        ("method = \"ridge\"\nscaling = \"block\"", "b04f6172ef601521"),
        ("method = \"mlp\"\nepochs = 3\nshuffled = true", "1ede807709d349c7"),
    ] {
        check(&dir, "ruse", &format!("{ruse}{method}\n"), &[("model", hash)]);
    }
    let dir = crate::train::dir();
    let pairs = ruse.replace("scores.tsv", "wmt13-rr");
    check(&dir, "ruse", &format!("{pairs}method = \"ranking-svm\"\n"), &[("model", "279d0a76fe30a143")]);
}

#[test]
fn heads_of_siamese_networks() {
    let dir = train_siamese::dir();
    let recipe = train_siamese::RECIPE.replace("epochs = 30", "epochs = 4");
    let held_out = recipe.replace("development = [\"wmt14-rr\"]\n", "held_out = 0.3\n");
    for (recipe, hash) in [(recipe.clone(), "b08e1bfa97f04de3"), (held_out, "288c726c63cf8441")] {
        check(&dir, "siamese", &recipe, &[("model", hash)]);
    }
}

#[test]
fn infersent() {
    let dir = train_infersent::dir();
    let adam = train_infersent::RECIPE.replace("batch = 8", "batch = 8\noptimizer = \"adam\"");
    for (recipe, hash) in [(train_infersent::RECIPE, "1fcbe9cd54b8d39a"), (&adam, "a9a790491bdafb21")] {
        check(&dir, "infersent", recipe, &[("model", hash)]);
    }
}
