//! `tercet serve` when things go wrong: requests that would take much memory, file handles that are used up, signals
//! under
//! load.

use super::http_client::{Answer, TestServer};
use super::test_dir::TestDir;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// The default of `--max-held`, and what the process may take beside it, with the models that are embedded.
const HELD: usize = 256 << 20;
const BESIDE: usize = 200 << 20;

/// Bytes that a process has had in memory at most.
fn peak(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// Lines of about so many bytes together.
fn lines(line: &str, bytes: usize) -> Vec<String> {
    vec![line.to_owned(); bytes / line.len()]
}

fn one_system(references: &Value, lines: &Value, more: Value) -> Value {
    let mut body = json!({"references": references, "systems": [{"name": "a", "hypotheses": lines}], "checks": false});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// Requests that are small beside what they ask for. Each is answered, or refused before memory is taken.
#[test]
fn no_request_takes_much_more_memory_than_the_limit() {
    let (short, marks) = (json!(lines("a b", 42_000)), json!(lines(&"!".repeat(50_000), 4 << 20)));
    let words = json!(lines("the cat sat on a mat", 500 << 10));
    let candidates = |line: &str, bytes: usize| -> Vec<String> {
        lines(line, bytes).iter().take(1000).enumerate().map(|(i, line)| format!("{line} {i}")).collect()
    };
    let metrics = ["bleu", "chrf", "ter", "meteor", "wer", "cer"];
    let rows: Vec<Value> = (0..90_000).map(|_| json!({"mt": "a", "ref": "b"})).collect();
    let long = "the cat sat on a large mat with dogs ".repeat(2700);
    let long: Vec<String> = (0..64).map(|i| format!("{i} {}", &long[i..])).collect();
    let mut requests = vec![
        ("/v1/parse", json!({"lines": lines("the dog and the cat ", 1 << 19), "format": "tree"})),
        ("/v1/parse", json!({"lines": lines("a b c d", 1 << 19), "format": "conllu"})),
        ("/v1/parse", json!({"lines": marks})),
        ("/v1/score", one_system(&marks, &marks, json!({"metrics": ["reval"]}))),
        ("/v1/score", one_system(&short, &short, json!({"metrics": metrics, "components": true, "level": "both"}))),
        ("/v1/score", one_system(&words, &words, json!({"metrics": ["siamese"], "explain": true}))),
        ("/v1/rank", json!({"candidates": [candidates(&"a b ".repeat(250), 1 << 20)], "metrics": ["siamese"]})),
        ("/v1/score", json!({"rows": rows, "metrics": ["chrf"], "level": "segment"})),
        ("/v1/tokenize", json!({"lines": ["a"], "tokenizer": "x".repeat(20 << 20)})),
    ];
    for metric in ["chrf", "bleu", "nist", "rouge", "meteor", "terp", "gtm", "siamese", "reval"] {
        requests.push(("/v1/score", one_system(&json!([long]), &json!([long[7]]), json!({"metrics": [metric]}))));
    }
    for (path, body) in requests {
        let text = body.to_string();
        let server = TestServer::start(&TestDir::new(), &["--jobs", "1", "--threads", "2", "--timeout", "8"]);
        let answer = server.post(path, &body);
        assert!([200, 400, 413, 503].contains(&answer.status), "{path}: {}", answer.status);
        let (peak, most) = (peak(server.child.id()) >> 20, (HELD + BESIDE) >> 20);
        assert!(peak < most, "{path} {}…: {peak} MB of {most}, {}", &text[text.len() - 90..], answer.status);
        assert_eq!(server.figure("tercet_panics_total"), 0.0);
    }
}

/// Connections beyond the limit of file handles wait; the server goes on when others are closed.
#[test]
fn a_server_without_file_handles_goes_on_when_there_are_some() {
    let server = TestServer::start_limited("-n 40", &TestDir::new(), &["--jobs", "1", "--threads", "1"]);
    let open: Vec<_> = (0..80).filter_map(|_| std::net::TcpStream::connect(server.address).ok()).collect();
    assert!(open.len() > 40);
    std::thread::sleep(Duration::from_millis(300));
    drop(open);
    let body = one_system(&json!(["a cat"]), &json!(["a dog"]), json!({"metrics": ["chrf"]}));
    assert_eq!(server.post("/v1/score", &body).status, 200);
}

/// Clients that leave, read nothing, or send half a request do not keep a server from ending.
#[test]
fn a_signal_ends_a_server_under_load() {
    let mut server = TestServer::start(&TestDir::new(), &["--jobs", "1", "--threads", "1", "--timeout", "3"]);
    let line = "word other ".repeat(9_000);
    let references: Vec<String> = (0..64).map(|i| format!("{i} {line}")).collect();
    let body = one_system(&json!([references]), &json!([line]), json!({"metrics": ["ter"]}));
    let mut running = server.begin("/v1/score", &body);
    server.wait_for("tercet_jobs_running", 1.0);
    let waiting: Vec<_> = (0..4).map(|_| server.begin("/v1/score", &body)).collect();
    let mut half = server.connect();
    half.write_all(b"POST /v1/score HT").unwrap();
    drop(waiting);
    let start = Instant::now();
    let status = std::process::Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(status.success());
    let status = Answer::read(&mut running).status;
    assert!([200, 503].contains(&status), "{status}");
    assert!(server.child.wait().unwrap().success());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
