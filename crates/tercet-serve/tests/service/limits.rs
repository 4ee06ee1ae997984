//! What is refused, and limits on size, memory, time and number of requests.

use super::http_client::Answer;
use super::{A, REFERENCE, request, start};
use serde_json::{Value, json};
use std::io::Write;
use std::net::Shutdown;
use std::time::{Duration, Instant};
use tercet_serve::Settings;

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let server = start(Settings::default());
    let one = json!([{"name": "a", "hypotheses": A}]);
    let many: Vec<&str> = vec!["r"; 1000];
    let long = "x".repeat(100_001);
    for (path, body, status, word) in [
        ("/v1/score", json!({"systems": one}), 422, "there are no references"),
        ("/v1/score", json!({"references": REFERENCE, "systems": 3}), 400, "invalid type"),
        (
            "/v1/score",
            request(json!({"metric": "bleu"})),
            400,
            "unknown field `metric`, expected one of `references`, `systems`",
        ),
        ("/v1/score", request(json!({"references": [1, 2]})), 400, "a reference, or a list of references"),
        ("/v1/score", request(json!({"metrics": ["blue"]})), 422, "did you mean `bleu`"),
        ("/v1/score", request(json!({"metrics": ["bleu", "bleu"]})), 422, "asked for twice"),
        ("/v1/score", request(json!({"references": ["r"]})), 422, "references for 1"),
        ("/v1/score", request(json!({"references": []})), 422, "there are no references"),
        ("/v1/score", request(json!({"language": "klingon"})), 400, "not a language"),
        ("/v1/score", request(json!({"references": [many, many, many, many]})), 413, "at most 64 references"),
        ("/v1/score", request(json!({"resamples": 100_001})), 413, "resamples"),
        ("/v1/score", request(json!({"fail_if": vec!["chrf < 3"; 33]})), 413, "conditions"),
        ("/v1/score", request(json!({"fail_if": ["x".repeat(2_001)]})), 413, "characters of a condition"),
        ("/v1/score", request(json!({"baseline": "b"})), 422, "paired"),
        ("/v1/score", request(json!({"references": [long, "", "", ""]})), 413, "bytes of a line"),
        ("/v1/score", request(json!({"metrics": ["meteor:data=/etc"]})), 422, "--allow-files"),
        ("/v1/compare", json!({"references": REFERENCE, "systems": one}), 422, "expected two systems"),
        ("/v1/rank", json!({"candidates": [[]]}), 422, "no candidate"),
        ("/v1/rank", json!({"candidates": [["a", "b"]], "top": 0}), 422, "top: expected a whole number from 1"),
        ("/v1/rank", json!({"candidates": [["a", "b"]], "resamples": 9}), 422, "candidates are not tested"),
        ("/v1/rank", request(json!({"top": 1})), 422, "top changes nothing without candidates"),
        ("/v1/rank", json!({"candidates": [vec!["x".repeat(2000); 600]]}), 413, "1048576 bytes"),
        ("/v1/rank", request(json!({"metrics": ["chrf|slope=0.1"]})), 422, "slope"),
        ("/v1/tokenize", json!({"lines": ["a"], "tokenizer": "x"}), 422, "tokenizer"),
    ] {
        let answer = server.post(path, &body);
        let text = answer.text(status);
        assert!(text.contains(word), "{path}: {text}");
    }
}

#[test]
fn malformed_requests_get_the_right_status() {
    let server = start(Settings { max_body: 1 << 20, ..Settings::default() });
    let json = "Content-Type: application/json\r\n";
    let post = |body: &[u8]| server.request("POST", "/v1/score", json, body);
    assert_eq!(post(b"{\"references\": ").code(), "bad_json");
    assert_eq!(post(b"").code(), "bad_json");
    assert_eq!(post(b"{\"references\": [\"\xff\xfe\"]}").code(), "not_utf8");
    assert_eq!(post("[".repeat(100_000).as_bytes()).status, 400);
    assert_eq!(post(&b"x".repeat((1 << 20) + 1)).status, 413);
    assert_eq!(server.request("POST", "/v1/score", "", b"{}").status, 415);
    assert_eq!(server.request("DELETE", "/v1/score", "", b"").status, 405);
    assert_eq!(server.request("BREW", "/v1/score", "", b"").status, 405);
    assert_eq!(server.get("/v1/nothing").status, 404);
    assert_eq!(server.get("/v1/runs/x").status, 404);
    let host = format!("Host: {}\r\n", server.address);
    let raw = |text: String| server.raw(text.as_bytes()).status;
    assert_eq!(raw(format!("POST /v1/score HTTP/1.1\r\n{host}{json}Content-Length: 1000000000\r\n\r\n")), 413);
    assert_eq!(raw(format!("GET / HTTP/1.1\r\n{host}A: {}\r\n\r\n", "x".repeat(100_000))), 431);
    assert_eq!(raw(format!("GET / HTTP/1.1\r\n{host}Connection: close\r\nA: {}\r\n\r\n", "x".repeat(33_000))), 431);
    let fields: String = (0..100).map(|i| format!("A{i}: x\r\n")).collect();
    assert_eq!(raw(format!("GET / HTTP/1.1\r\n{host}{fields}\r\n")), 431);
    assert_eq!(raw("GET / HTTP/1.1\r\n\r\n".to_owned()), 400);
    assert_eq!(raw("hello\r\n\r\n".to_owned()), 400);
    assert_eq!(raw(format!("POST /v1/score HTTP/1.1\r\n{host}{json}Content-Length: -1\r\n\r\n")), 400);
    let chunked = format!("POST /v1/score HTTP/1.1\r\n{host}{json}Transfer-Encoding: chunked\r\n\r\nzz\r\n");
    assert_eq!(raw(chunked), 400);
    let truncated = |text: &str| {
        let mut stream = server.connect();
        stream.write_all(text.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        Answer::read(&mut stream).code()
    };
    assert_eq!(
        truncated(&format!("POST /v1/score HTTP/1.1\r\n{host}{json}Content-Length: 50\r\n\r\n{{\"a\"")),
        "incomplete"
    );
    assert_eq!(truncated("GET /v1/heal"), "incomplete");
    assert_eq!(server.get("/v1/health").status, 200);
    assert_eq!(server.figure("tercet_panics_total"), 0.0);
}

/// Short lines are small requests, but every score takes memory while it is computed.
#[test]
fn more_scores_than_there_is_memory_for_are_refused() {
    let server = start(Settings { max_body: 1 << 20, max_held: 2 << 20, ..Settings::default() });
    let lines = vec!["x"; 1000];
    let ask = |metrics: &[&str]| {
        let systems = json!([{"name": "a", "hypotheses": lines}, {"name": "b", "hypotheses": lines}]);
        let body = json!({"references": lines, "systems": systems, "metrics": metrics});
        ["/v1/score", "/v1/report"].map(|path| server.post(path, &body).status)
    };
    assert_eq!(ask(&["bleu", "chrf"]), [200, 200]);
    assert_eq!(ask(&["bleu", "chrf", "ter", "wer"]), [413, 413]);
    // The same for many empty references, and for trees, which are longer than their text.
    let empty = json!({"references": vec![vec![""; 64]; 1000], "systems": []});
    assert!(server.post("/v1/score", &empty).text(413).contains("--max-held"));
    if cfg!(feature = "learned") {
        let lines = vec!["word ".repeat(1000); 100];
        assert!(server.post("/v1/parse", &json!({"lines": lines})).text(413).contains("--max-held"));
    }
}

/// A report that is sent is a copy, for which there must be memory.
#[test]
fn reports_that_are_sent_take_the_memory_of_requests() {
    let server = start(Settings { max_body: 1 << 20, max_held: 1 << 20, ..Settings::default() });
    server.text("/v1/report", &request(json!({"metrics": ["bleu"]})));
    let mut unfinished = server.connect();
    let host = server.address;
    let head = format!(
        "POST /v1/score HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\
         \r\n{:x}\r\n",
        1 << 20
    );
    unfinished.write_all(&[head.as_bytes(), &vec![b' '; 1 << 20]].concat()).unwrap();
    server.wait_for("tercet_held_bytes", f64::from(1 << 20));
    for path in ["/v1/runs/1", "/v1/runs/1/report.html"] {
        assert_eq!(server.get(path).status, 429, "{path}");
    }
    drop(unfinished);
    server.wait_for("tercet_held_bytes", 0.0);
    assert_eq!(server.get("/v1/runs/1").status, 200);
}

/// What a client only announces takes no room from others.
#[test]
fn clients_that_announce_much_and_send_little_keep_nobody_out() {
    let server = start(Settings { max_body: 1 << 20, max_held: 1 << 20, ..Settings::default() });
    let host = server.address;
    let head = format!(
        "POST /v1/score HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{{",
        1 << 20
    );
    let mut announcing: Vec<_> = (0..8).map(|_| server.connect()).collect();
    announcing.iter_mut().for_each(|stream| stream.write_all(head.as_bytes()).unwrap());
    server.wait_for("tercet_held_bytes", 8.0 * 1024.0);
    assert_eq!(server.post("/v1/score", &request(json!({"metrics": ["bleu"]}))).status, 200);
}

/// No name of a setting or of a field is repeated as a whole, looked up or compared, however long it is.
#[test]
fn long_names_are_refused_shortly() {
    let server = start(Settings::default());
    let long = "x".repeat(10 << 20);
    for (path, body) in [
        ("/v1/tokenize", json!({"lines": ["a"], "tokenizer": long})),
        ("/v1/tokenize", json!({"lines": ["a"], &long: 1})),
        ("/v1/tokenize", json!({"lines": long})),
        ("/v1/score", request(json!({"metrics": [long]}))),
        ("/v1/score", request(json!({"fail_if": [long]}))),
    ] {
        let answer = server.post(path, &body);
        assert_eq!(answer.status, 400, "{path}");
        assert!(answer.text(400).len() < 3000, "{path}");
    }
}

#[test]
fn requests_that_two_programs_may_read_in_two_ways_are_refused() {
    let server = start(Settings::default());
    let (host, body) = (server.address, request(json!({})).to_string());
    let head = |more: &str| {
        let length = body.len();
        let json = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        format!("POST /v1/score HTTP/1.1\r\nHost: {host}\r\n{json}{more}\r\n{body}")
    };
    let code = |more: &str| server.raw(head(more).as_bytes()).code();
    assert_eq!(code("Host: example.org\r\n"), "two_hosts");
    assert_eq!(code("Content-Encoding: gzip\r\n"), "packed");
    assert_eq!(server.raw(head("Content-Encoding: identity\r\nConnection: close\r\n").as_bytes()).status, 200);
}

#[test]
fn slow_senders_are_told_that_they_are_slow() {
    let server = start(Settings::default());
    let (mut head, mut body) = (server.connect(), server.connect());
    head.write_all(b"GET / HT").unwrap();
    let text = format!(
        "POST /v1/score HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{",
        server.address
    );
    body.write_all(text.as_bytes()).unwrap();
    let answers = [Answer::read(&mut head), Answer::read(&mut body)];
    assert_eq!(
        answers.map(|answer| (answer.status, answer.code())),
        [(408, "slow".to_owned()), (408, "slow".to_owned())]
    );
}

/// A request that takes long: TER of so many lines with the same words in another order, some 10 ms a line.
fn long_request(segments: usize) -> Value {
    let line = |i: usize| format!("word{i} {}", (0..150).map(|j| format!("w{} ", (i * j) % 97)).collect::<String>());
    let lines: Vec<String> = (0..segments).map(line).collect();
    let other: Vec<String> = (1..=segments).map(line).collect();
    json!({"references": lines, "systems": [{"name": "a", "hypotheses": other}], "metrics": ["ter"]})
}

#[test]
fn a_full_queue_is_refused_until_there_is_room_and_clients_that_leave_make_room() {
    let server = start(Settings { jobs: Some(1), queue: 0, threads: Some(1), ..Settings::default() });
    server.wait_for("tercet_jobs_running", 0.0);
    let first = server.begin("/v1/score", &long_request(4000));
    server.wait_for("tercet_jobs_running", 1.0);
    let refused = server.post("/v1/score", &request(json!({"fast": true})));
    assert_eq!((refused.status, refused.code()), (429, "busy".to_owned()));
    assert!(refused.field("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(server.figure("tercet_rejected_total"), 1.0);
    let start = Instant::now();
    drop(first);
    server.wait_for("tercet_jobs_running", 0.0);
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(server.figure("tercet_cancelled_total"), 1.0);
    assert_eq!(server.post("/v1/score", &request(json!({"fast": true}))).status, 200);
}

/// Every metric looks at the time in the middle of a segment; the worker is free then.
#[test]
fn work_on_one_long_segment_ends_when_its_time_is_over() {
    let seconds = Duration::from_secs(2);
    let server = start(Settings { timeout: seconds, jobs: Some(1), threads: Some(1), ..Settings::default() });
    const WORDS: [&str; 8] = ["the ", "cat ", "cats ", "hound ", "dog ", "sat ", "on ", "mat "];
    let line = |seed: usize| -> String {
        let mut state = seed as u64 + 1;
        let mut word = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            WORDS[(state >> 40) as usize % WORDS.len()]
        };
        (0..21_000).map(|_| word()).collect()
    };
    let references: Vec<String> = (0..64).map(line).collect();
    let mut late = 0;
    for metric in ["meteor", "ter", "cer"] {
        let systems = json!([{"name": "a", "hypotheses": [line(99)]}]);
        let body = json!({"references": [references], "systems": systems, "metrics": [metric], "checks": false});
        let start = Instant::now();
        let answer = server.post("/v1/score", &body);
        assert!([200, 503].contains(&answer.status), "{metric}: {}", answer.status);
        late += usize::from(answer.status == 503);
        server.wait_for("tercet_jobs_running", 0.0);
        // Bounds with room for a busy machine: three seconds in an optimised program, one of them after the limit.
        assert!(start.elapsed() < 4 * seconds, "{metric}: {:?}", start.elapsed());
    }
    assert!(late > 0);
}

/// The worker of a client that left in the middle of a segment is free soon.
#[test]
fn work_on_one_long_segment_ends_when_the_client_leaves() {
    let server = start(Settings { jobs: Some(1), threads: Some(1), ..Settings::default() });
    let line =
        |seed: usize| -> String { (0..21_000).map(|i| ["a ", "b ", "c "][(i * i + seed * i) % 97 % 3]).collect() };
    let references: Vec<String> = (0..64).map(line).collect();
    let systems = json!([{"name": "a", "hypotheses": [line(99)]}]);
    let body = json!({"references": [references], "systems": systems, "metrics": ["meteor"], "checks": false});
    let client = server.begin("/v1/score", &body);
    server.wait_for("tercet_jobs_running", 1.0);
    let start = Instant::now();
    drop(client);
    server.wait_for("tercet_jobs_running", 0.0);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn work_ends_when_its_time_is_over() {
    let server = start(Settings { timeout: Duration::from_secs(1), threads: Some(1), ..Settings::default() });
    let answer = server.post("/v1/score", &long_request(4000));
    assert_eq!((answer.status, answer.code()), (503, "time_limit".to_owned()));
    let answer = server.stream("/v1/score", &long_request(4000)).text(200);
    assert!(answer.ends_with("the limit of this server\"}\n"), "{answer}");
}
