//! `tercet serve`: answers with the bytes of the command, refusals, limits, access.

use super::http_client::{Answer, TestServer};
use super::test_dir::TestDir;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

const REFERENCE: [&str; 4] = [
    "The cat sat on the mat.",
    "It rained all day long.",
    "Two birds sang in a tree.",
    "He said nothing at all.",
];
const A: [&str; 4] = [
    "The cat sat on a mat.",
    "It was raining all day.",
    "Two birds sang in the tree.",
    "He did not say anything.",
];
const B: [&str; 4] =
    ["Cat is sitting mat.", "It rained the day.", "Birds were singing.", "He said nothing at all."];

/// The texts as files of a folder.
fn files() -> TestDir {
    let dir = TestDir::new();
    for (name, lines) in [("ref", REFERENCE), ("a", A), ("b", B)] {
        dir.write(name, format!("{}\n", lines.join("\n")).as_bytes());
    }
    dir
}

/// The texts as a request, with further entries.
fn request(more: Value) -> Value {
    let systems = json!([{"name": "a", "hypotheses": A}, {"name": "b", "hypotheses": B}]);
    with(json!({"references": REFERENCE, "systems": systems}), more)
}

fn with(mut request: Value, more: Value) -> Value {
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

/// The metrics that need no model.
fn metrics(dir: &TestDir) -> Vec<String> {
    let all: Value = serde_json::from_str(&dir.stdout(&["metrics", "-f", "json"])).unwrap();
    let without_model = all.as_array().unwrap().iter().filter(|metric| metric["needs"].is_null());
    without_model.map(|metric| metric["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn scores_are_the_bytes_of_the_command_for_every_metric_at_any_concurrency() {
    let dir = files();
    let server = TestServer::start(&dir, &["--jobs", "3"]);
    let mut names = metrics(&dir);
    names.extend(["chrf++".to_owned(), "bleu:tok=intl,smooth=floor".to_owned()]);
    let expected: Vec<String> = names
        .iter()
        .map(|name| {
            dir.stdout(&["score", "-q", "-r", "ref", "-m", name, "--level", "both", "-f", "json", "a", "b"])
        })
        .collect();
    let bodies: Vec<Value> =
        names.iter().map(|name| request(json!({"metrics": [name], "level": "both"}))).collect();
    std::thread::scope(|scope| {
        for client in 0..8 {
            let (server, bodies, expected, names) = (&server, &bodies, &expected, &names);
            scope.spawn(move || {
                for step in 0..bodies.len() {
                    let i = (client * 5 + step) % bodies.len();
                    assert_eq!(server.text("/v1/score", &bodies[i]), expected[i], "{}", names[i]);
                }
            });
        }
    });
}

#[test]
fn options_of_score_are_those_of_the_command() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    let same = |more: Value, flags: &[&str]| {
        let words = [&["score", "-q", "-r", "ref", "-f", "json", "a", "b"], flags].concat();
        assert_eq!(server.text("/v1/score", &request(more)), dir.stdout(&words), "{flags:?}");
    };
    same(json!({}), &[]);
    same(json!({"fast": true, "components": true}), &["--fast", "--components"]);
    same(json!({"metrics": ["chrf"], "language": "de"}), &["-m", "chrf", "-l", "de"]);
    same(
        json!({"metrics": ["bleu"], "confidence": true, "resamples": 50, "seed": 7}),
        &["-m", "bleu", "--confidence", "-n", "50", "--seed", "7"],
    );
    same(
        json!({"metrics": ["ter"], "paired": "ar", "baseline": "b", "correction": "holm", "resamples": 60}),
        &["-m", "ter", "--paired", "ar", "--baseline", "b", "--correction", "holm", "-n", "60"],
    );
    let signature = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0";
    same(json!({"metrics": [signature]}), &["-m", signature]);
}

#[test]
fn white_space_at_the_ends_of_lines_is_no_part_of_texts() {
    let dir = TestDir::with(&[
        ("ref", "one two \t\nthree\n"),
        ("a", "one  two\u{3000}\nthree   \n"),
        ("b", "x\ny\n"),
    ]);
    let server = TestServer::start(&dir, &[]);
    let systems = json!([{"name": "a", "hypotheses": ["one  two\u{3000}", "three   "]}, {"name": "b", "hypotheses": ["x", "y"]}]);
    let body = json!({"references": ["one two \t", "three"], "systems": systems, "metrics": ["cer"]});
    let words = ["score", "-q", "-r", "ref", "-m", "cer", "-f", "json", "a", "b"];
    assert_eq!(server.text("/v1/score", &body), dir.stdout(&words));
    let list = json!({"candidates": [["x y", "x y  ", "x"]], "metrics": ["cer"]});
    dir.write("list", b"x y\nx y  \nx\n");
    let words = ["rank", "-q", "--nbest", "list", "--candidates", "3", "-m", "cer", "-f", "json"];
    assert_eq!(server.text("/v1/rank", &list), dir.stdout(&words));
}

#[test]
fn other_routes_answer_with_the_bytes_of_their_commands() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    assert_eq!(server.get("/v1/metrics").text(200), dir.stdout(&["metrics", "-f", "json"]));
    for (more, flags) in [(json!({}), &[][..]), (json!({"metric": "chrf"}), &["-m", "chrf"])] {
        let words = [&["compare", "-q", "-r", "ref", "-f", "json", "a", "b"], flags].concat();
        assert_eq!(server.text("/v1/compare", &request(more)), dir.stdout(&words), "{flags:?}");
    }
    for (more, flags) in [
        (json!({}), &[][..]),
        (json!({"metrics": ["chrf", "ter"], "paired": "ar"}), &["-m", "chrf", "-m", "ter", "--paired", "ar"]),
    ] {
        let words = [&["rank", "-q", "-r", "ref", "-f", "json", "a", "b"], flags].concat();
        assert_eq!(server.text("/v1/rank", &request(more)), dir.stdout(&words), "{flags:?}");
    }
    dir.write("list", b"a b c\na b d\nx y\nb c\nb c d\nb\n");
    let candidates = json!({"candidates": [["a b c", "a b d", "x y"], ["b c", "b c d", "b"]], "metrics": ["chrf"], "top": 2});
    let words = ["rank", "-q", "--nbest", "list", "--candidates", "3", "-m", "chrf", "-n", "2", "-f", "json"];
    assert_eq!(server.text("/v1/rank", &candidates), dir.stdout(&words));
    let single =
        server.post("/v1/rank", &json!({"candidates": [["a b"], ["c d", "c"]], "metrics": ["chrf"]}));
    let warnings = single.field("tercet-warnings").unwrap_or_default();
    assert!(warnings.contains("1 of 2 segments have one candidate"), "{}", single.head);
    let tokenized = server.post("/v1/tokenize", &json!({"lines": A, "tokenizer": "intl"})).json();
    let lines: Vec<&str> =
        tokenized["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(format!("{}\n", lines.join("\n")), dir.stdout(&["tokenize", "--tok", "intl", "a"]));
}

#[cfg(feature = "learned")]
#[test]
fn trees_are_the_bytes_of_the_command() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    for format in ["conllu", "tree", "brackets"] {
        let parsed = server.post("/v1/parse", &json!({"lines": A, "format": format})).json();
        assert_eq!(
            parsed["text"].as_str().unwrap(),
            dir.stdout(&["parse", "-q", "-f", format, "a"]),
            "{format}"
        );
    }
}

/// Sends a request for a stream.
fn stream(server: &TestServer, path: &str, body: &Value) -> Answer {
    let fields = "Content-Type: application/json\r\nAccept: application/x-ndjson\r\n";
    server.request("POST", path, fields, body.to_string().as_bytes())
}

#[test]
fn a_stream_has_progress_and_then_the_lines_of_the_command() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    let answer =
        stream(&server, "/v1/score", &request(json!({"metrics": ["bleu", "ter"], "level": "segment"})));
    let text = answer.text(200);
    assert_eq!(answer.field("content-type"), Some("application/x-ndjson"));
    let is_event = |line: &&str| line.starts_with("{\"event\":");
    let results: String =
        text.lines().filter(|line| !is_event(line)).map(|line| format!("{line}\n")).collect();
    let words = [
        "score", "-q", "-r", "ref", "-m", "bleu", "-m", "ter", "--level", "segment", "-f", "jsonl", "a", "b",
    ];
    assert_eq!(results, dir.stdout(&words));
    assert!(text.starts_with("{\"event\":\"stage\","), "{text}");
    assert!(text.ends_with("{\"event\":\"end\"}\n"), "{text}");
}

#[test]
fn a_report_grows_and_is_kept() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    let text = server.text("/v1/report", &request(json!({"metrics": ["bleu", "chrf"]})));
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let reports: Vec<&Value> =
        events.iter().filter(|event| event["event"] == "report").map(|event| &event["data"]).collect();
    let grown: Vec<usize> =
        reports.iter().map(|data| data["metrics"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(grown, [0, 1, 2, 2]);
    assert_eq!(reports[0]["texts"]["outputs"][1][0], B[0]);
    // The scores are those of the HTML report of the command.
    dir.stdout(&["score", "-q", "-r", "ref", "-m", "bleu", "-m", "chrf", "-o", "report.html", "a", "b"]);
    let page = String::from_utf8(dir.read("report.html")).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    for part in ["metrics", "segment_scores", "pairs", "texts"] {
        assert_eq!(reports[3][part], data[part], "{part}");
    }
    assert!(reports[3]["comparison"]["verdict"].as_str().unwrap().starts_with("By BLEU, "));
    let runs = server.get("/v1/runs").json();
    assert_eq!((runs[0]["id"].as_u64(), runs[0]["systems"].clone()), (Some(1), json!(["a", "b"])));
    assert_eq!(server.get("/v1/runs/1").json(), *reports[3]);
    let file = server.get("/v1/runs/1/report.html").text(200);
    assert!(file.starts_with("<!DOCTYPE html>") && file.contains("renderReport"));
    assert_eq!(server.request("DELETE", "/v1/runs", "", b"").status, 204);
    assert_eq!(server.get("/v1/runs/1").code(), "no_run");
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    let one = json!([{"name": "a", "hypotheses": A}]);
    let many: Vec<&str> = vec!["r"; 1000];
    let long = "x".repeat(100_001);
    for (path, body, status, word) in [
        ("/v1/score", json!({"systems": one}), 400, "references"),
        ("/v1/score", json!({"references": REFERENCE, "systems": 3}), 400, "invalid type"),
        ("/v1/score", request(json!({"metric": "bleu"})), 400, "unknown field"),
        ("/v1/score", request(json!({"references": [1, 2]})), 400, "a reference, or a list of references"),
        ("/v1/score", request(json!({"metrics": ["blue"]})), 422, "did you mean `bleu`"),
        ("/v1/score", request(json!({"metrics": ["bleu", "bleu"]})), 422, "asked for twice"),
        ("/v1/score", request(json!({"references": ["r"]})), 422, "references for 1"),
        ("/v1/score", request(json!({"references": []})), 422, "references for 0"),
        ("/v1/score", request(json!({"language": "klingon"})), 422, "language"),
        ("/v1/score", request(json!({"references": [many, many, many, many]})), 413, "at most 64 references"),
        ("/v1/score", request(json!({"resamples": 100_001})), 413, "resamples"),
        ("/v1/score", request(json!({"baseline": "b"})), 422, "paired"),
        ("/v1/score", request(json!({"references": [long, "", "", ""]})), 413, "bytes of a line"),
        ("/v1/score", request(json!({"metrics": ["meteor:data=/etc"]})), 422, "--allow-files"),
        ("/v1/compare", json!({"references": REFERENCE, "systems": one}), 422, "expected two systems"),
        ("/v1/rank", json!({"candidates": [[]]}), 422, "no candidate"),
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
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &["--max-body", "1M"]);
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
    assert_eq!(
        raw(format!("POST /v1/score HTTP/1.1\r\n{host}{json}Content-Length: 1000000000\r\n\r\n")),
        413
    );
    assert_eq!(raw(format!("GET / HTTP/1.1\r\n{host}A: {}\r\n\r\n", "x".repeat(100_000))), 431);
    assert_eq!(
        raw(format!("GET / HTTP/1.1\r\n{host}Connection: close\r\nA: {}\r\n\r\n", "x".repeat(33_000))),
        431
    );
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
    let messages = server.messages();
    assert!(!messages.contains("panicked"), "{messages}");
}

/// Short lines are small requests, but every score takes memory while it is computed.
#[test]
fn more_scores_than_there_is_memory_for_are_refused() {
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &["--max-body", "1M", "--max-held", "2M"]);
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
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &["--max-body", "1M", "--max-held", "1M"]);
    server.text("/v1/report", &request(json!({"metrics": ["bleu"]})));
    let mut unfinished = server.connect();
    let host = server.address;
    let head = format!(
        "POST /v1/score HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n"
    );
    unfinished.write_all(head.as_bytes()).unwrap();
    let start = Instant::now();
    for path in ["/v1/runs/1", "/v1/runs/1/report.html"] {
        while server.get(path).status == 200 && start.elapsed() < Duration::from_secs(5) {}
        assert_eq!(server.get(path).status, 429, "{path}");
    }
    drop(unfinished);
    let start = Instant::now();
    while server.get("/v1/runs/1").status == 429 && start.elapsed() < Duration::from_secs(5) {}
    assert_eq!(server.get("/v1/runs/1").status, 200);
}

#[test]
fn slow_senders_are_told_that_they_are_slow() {
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &[]);
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
    let line =
        |i: usize| format!("word{i} {}", (0..150).map(|j| format!("w{} ", (i * j) % 97)).collect::<String>());
    let lines: Vec<String> = (0..segments).map(line).collect();
    let other: Vec<String> = (1..=segments).map(line).collect();
    json!({"references": lines, "systems": [{"name": "a", "hypotheses": other}], "metrics": ["ter"]})
}

#[test]
fn a_full_queue_is_refused_until_there_is_room_and_clients_that_leave_make_room() {
    let dir = files();
    let server = TestServer::start(&dir, &["--jobs", "1", "--queue", "0", "--threads", "1"]);
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

#[test]
fn work_ends_when_its_time_is_over() {
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &["--timeout", "1", "--threads", "1"]);
    let answer = server.post("/v1/score", &long_request(4000));
    assert_eq!((answer.status, answer.code()), (503, "time_limit".to_owned()));
    let answer = stream(&server, "/v1/score", &long_request(4000)).text(200);
    assert!(answer.ends_with("the limit of this server\"}\n"), "{answer}");
}

#[cfg(unix)]
#[test]
fn a_signal_lets_requests_finish_and_ends_the_server() {
    let dir = files();
    let mut server = TestServer::start(&dir, &["--threads", "1"]);
    let body = with(long_request(1500), json!({"metrics": ["chrf"]}));
    let mut running = server.begin("/v1/score", &body);
    server.wait_for("tercet_jobs_running", 1.0);
    let status =
        std::process::Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert!(Answer::read(&mut running).text(200).contains("\"metric\": \"chrf\""));
    assert!(server.child.wait().unwrap().success());
    assert!(std::net::TcpStream::connect(server.address).is_err());
    let mut messages = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert!(messages.starts_with("stopping; unfinished requests: 1"), "{messages}");
}

#[test]
fn other_machines_need_a_token() {
    let dir = TestDir::with(&[("token", "0123456789abcdef\n"), ("short", "x\n")]);
    let error = dir.error(2, &["serve", "--listen", "0.0.0.0:0"]);
    assert!(error.contains("--token-file"), "{error}");
    let error = dir.error(2, &["serve", "--token-file", "short"]);
    assert!(error.contains("at least 16"), "{error}");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        // A token that cannot be read is not the same as none.
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tercet"));
        command.args(["serve", "--listen", "127.0.0.1:0"]);
        command.env("TERCET_TOKEN", std::ffi::OsStr::from_bytes(b"0123456789abcdef\xff"));
        assert_eq!(command.output().unwrap().status.code(), Some(2));
    }
    let server = TestServer::start_on("0.0.0.0:0", &dir, &["--token-file", "token"]);
    for (path, fields, status) in [
        ("/v1/metrics", "", 401),
        ("/metrics", "", 401),
        ("/v1/runs", "Authorization: Bearer 0123456789abcdeX\r\n", 401),
        ("/v1/metrics", "Authorization: Bearer 0123456789abcdef\r\n", 200),
        ("/", "", 200),
        ("/v1/health", "", 200),
    ] {
        let answer = server.request("GET", path, fields, b"");
        assert_eq!(answer.status, status, "{path} {fields}");
        assert_eq!(answer.field("www-authenticate").is_some(), status == 401);
    }
}

#[test]
fn pages_of_other_sites_get_nothing() {
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &[]);
    let rebound = server.raw(b"GET /v1/metrics HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
    assert_eq!(rebound.code(), "other_host");
    let crossed = server.request("GET", "/v1/metrics", "Origin: http://example.org\r\n", b"");
    assert_eq!(crossed.code(), "other_site");
    let answer = server.request("OPTIONS", "/v1/score", "Origin: http://example.org\r\n", b"");
    assert_eq!((answer.status, answer.field("access-control-allow-origin")), (403, None));
}

#[test]
fn files_are_found_in_the_allowed_folder_only() {
    let dir = files();
    dir.write("models/words", b"the\nof\n");
    let server = TestServer::start(&dir, &["--allow-files", "models"]);
    let scored =
        server.post("/v1/score", &request(json!({"metrics": ["meteor:function_words=words"]}))).json();
    assert_eq!(scored[0]["metric"], "meteor:function_words=words");
    let german = request(json!({"metrics": ["meteor:function_words=words"], "language": "de"}));
    let words = [
        "score",
        "-q",
        "-r",
        "ref",
        "-l",
        "de",
        "-m",
        "meteor:function_words=models/words",
        "-f",
        "json",
        "a",
        "b",
    ];
    let by_command: Value = serde_json::from_str(&dir.stdout(&words)).unwrap();
    let scored = server.post("/v1/score", &german).json();
    assert_eq!(scored[0]["score"], by_command[0]["score"]);
    assert!(scored[0]["signature"].as_str().unwrap().contains("lang=de"), "{scored}");
    let other = request(json!({"metrics": ["meteor:function_words=words|function_words=00000000"]}));
    assert!(server.post("/v1/score", &other).text(422).contains("00000000"));
    for file in ["../ref", "/etc/hostname", "none"] {
        let body = request(json!({"metrics": [format!("meteor:function_words={file}")]}));
        assert_eq!(server.post("/v1/score", &body).status, 422, "{file}");
    }
}

#[test]
fn the_page_runs_only_its_own_files() {
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &[]);
    let page = server.get("/");
    let policy = page.field("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for (name, value) in
        [("x-content-type-options", "nosniff"), ("x-frame-options", "deny"), ("cache-control", "no-store")]
    {
        assert_eq!(page.field(name), Some(value));
    }
    let html = page.text(200);
    assert!(!html.contains("<script>") && !html.contains("<style") && !html.contains("onclick"));
    let script = server.get("/page.js");
    assert_eq!(script.field("content-type"), Some("text/javascript; charset=utf-8"));
    let script = script.text(200);
    assert!(script.contains("renderReport"));
    for unsafe_way in ["innerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        assert!(!script.contains(unsafe_way), "{unsafe_way}");
    }
}

#[test]
fn the_description_names_every_route_and_every_entry_of_requests() {
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &[]);
    let described = server.get("/v1/openapi.json").json();
    assert_eq!(described["info"]["version"], env!("CARGO_PKG_VERSION"));
    let manual = include_str!("../../../../docs/serve.md");
    let named =
        manual.lines().filter(|line| line.starts_with("| `")).flat_map(|line| line.split(['`', ' ', ',']));
    for path in named.filter(|word| word.starts_with("/v1/") || *word == "/metrics") {
        let path = path.replace("ID", "{id}");
        assert!(!described["paths"][&path].is_null(), "{path}");
    }
    for path in ["score", "compare", "rank", "tokenize", "report"].map(|name| format!("/v1/{name}")) {
        let refused: Value =
            serde_json::from_str(&server.post(&path, &json!({"no such entry": 1})).text(400)).unwrap();
        let (_, expected) =
            refused["error"]["message"].as_str().unwrap().split_once("expected one of").unwrap();
        let accepted: BTreeSet<&str> = expected.split('`').skip(1).step_by(2).collect();
        let schema =
            &described["paths"][&path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let schema = schema["$ref"].as_str().map_or(schema, |place| described.pointer(&place[1..]).unwrap());
        let entries = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(accepted, entries, "{path}");
    }
    for (path, methods) in described["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "1");
        let has_parser = cfg!(feature = "learned") || path != "/v1/parse";
        for method in methods.as_object().unwrap().keys().filter(|key| *key != "parameters" && has_parser) {
            let status = server.request(&method.to_uppercase(), &path, "", b"").status;
            let is_run = path.starts_with("/v1/runs/");
            assert!(![404, 405].contains(&status) || (is_run && status == 404), "{method} {path}: {status}");
        }
    }
}
