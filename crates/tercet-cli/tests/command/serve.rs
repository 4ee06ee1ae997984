//! `tercet serve`: answers with the bytes of the command.

use super::http_client::{Answer, TestServer};
use super::test_dir::TestDir;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Read;

const REFERENCE: [&str; 4] =
    ["The cat sat on the mat.", "It rained all day long.", "Two birds sang in a tree.", "He said nothing at all."];
const A: [&str; 4] =
    ["The cat sat on a mat.", "It was raining all day.", "Two birds sang in the tree.", "He did not say anything."];
const B: [&str; 4] = ["Cat is sitting mat.", "It rained the day.", "Birds were singing.", "He said nothing at all."];

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
        .map(|name| dir.stdout(&["score", "-q", "-r", "ref", "-m", name, "--level", "both", "-f", "json", "a", "b"]))
        .collect();
    let bodies: Vec<Value> = names.iter().map(|name| request(json!({"metrics": [name], "level": "both"}))).collect();
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
fn a_gate_that_fails_is_an_answer() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    let run = dir.run(&["score", "-q", "-r", "ref", "-m", "chrf", "-f", "json", "--fail-if", "chrf < 101", "a", "b"]);
    let answer = server.text("/v1/score", &request(json!({"metrics": ["chrf"], "fail_if": ["chrf < 101"]})));
    assert_eq!((run.code, answer), (3, run.stdout));
}

#[test]
fn rows_with_named_fields_are_the_texts_of_a_request() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    let row = |(i, (a, b)): (usize, (&&str, &&str))| json!({"out": {"a": a, "b": b}, "ref": REFERENCE[i]});
    let rows: Vec<Value> = A.iter().zip(B.iter()).enumerate().map(row).collect();
    let more = json!({"metrics": ["chrf"], "level": "both"});
    let body = json!({"rows": rows, "fields": {"hypothesis": ["out.a", "out.b"]}});
    let expected = server.text("/v1/score", &request(more.clone()));
    let named = expected.replace("\"a\"", "\"out.a\"").replace("\"b\"", "\"out.b\"");
    assert_eq!(server.text("/v1/score", &with(body.clone(), more)), named);
    let compared = server.text("/v1/compare", &with(body.clone(), json!({"metric": "chrf"})));
    assert!(compared.contains("out.b"), "{compared}");
    for (wrong, message) in [
        (json!({"rows": [{"mt": "a"}]}), "rows: which field has the references? there are: mt"),
        (json!({"rows": [], "systems": []}), "`rows` have all texts: leave out `systems`"),
        (json!({"rows": ["a"]}), "rows:1: expected a row: an object of JSON, found '\"'"),
        (json!({"fields": {}}), "`fields` are names of fields of `rows`, which are missing"),
    ] {
        let answer = server.post("/v1/score", &wrong).text(400);
        assert!(answer.contains(&message.replace('"', "\\\"")), "{answer}");
    }
}

#[test]
fn white_space_at_the_ends_of_lines_is_no_part_of_texts() {
    let dir = TestDir::with(&[("ref", "one two \t\nthree\n"), ("a", "one  two\u{3000}\nthree   \n"), ("b", "x\ny\n")]);
    let server = TestServer::start(&dir, &[]);
    let systems = json!([
        {"name": "a", "hypotheses": ["one  two\u{3000}", "three   "]},
        {"name": "b", "hypotheses": ["x", "y"]},
    ]);
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
    let lists = json!([["a b c", "a b d", "x y"], ["b c", "b c d", "b"]]);
    let candidates = json!({"candidates": lists, "metrics": ["chrf"], "top": 2});
    let words = ["rank", "-q", "--nbest", "list", "--candidates", "3", "-m", "chrf", "-n", "2", "-f", "json"];
    assert_eq!(server.text("/v1/rank", &candidates), dir.stdout(&words));
    let single = server.post("/v1/rank", &json!({"candidates": [["a b"], ["c d", "c"]], "metrics": ["chrf"]}));
    let warnings = single.field("tercet-warnings").unwrap_or_default();
    assert!(warnings.contains("1 of 2 segments have one candidate"), "{}", single.head);
    let tokenized = server.post("/v1/tokenize", &json!({"lines": A, "tokenizer": "intl"})).json();
    let lines: Vec<&str> = tokenized["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(format!("{}\n", lines.join("\n")), dir.stdout(&["tokenize", "--tok", "intl", "a"]));
}

#[cfg(feature = "learned")]
#[test]
fn trees_are_the_bytes_of_the_command() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    for format in ["conllu", "tree", "brackets"] {
        let parsed = server.post("/v1/parse", &json!({"lines": A, "format": format})).json();
        assert_eq!(parsed["text"].as_str().unwrap(), dir.stdout(&["parse", "-q", "-f", format, "a"]), "{format}");
    }
}

#[test]
fn a_stream_has_progress_and_then_the_lines_of_the_command() {
    let dir = files();
    let server = TestServer::start(&dir, &[]);
    let answer = server.stream("/v1/score", &request(json!({"metrics": ["bleu", "ter"], "level": "segment"})));
    let text = answer.text(200);
    assert_eq!(answer.field("content-type"), Some("application/x-ndjson"));
    let is_event = |line: &&str| line.starts_with("{\"event\":");
    let results: String = text.lines().filter(|line| !is_event(line)).map(|line| format!("{line}\n")).collect();
    let words = ["score", "-q", "-r", "ref", "-m", "bleu", "-m", "ter", "--level", "segment", "-f", "jsonl", "a", "b"];
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
    let grown: Vec<usize> = reports.iter().map(|data| data["metrics"].as_array().map_or(0, Vec::len)).collect();
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
fn the_description_names_every_route_and_every_entry_of_requests() {
    let dir = TestDir::new();
    let server = TestServer::start(&dir, &[]);
    let described = server.get("/v1/openapi.json").json();
    assert_eq!(described["info"]["version"], env!("CARGO_PKG_VERSION"));
    let manual = include_str!("../../../../docs/serve.md");
    let named = manual.lines().filter(|line| line.starts_with("| `")).flat_map(|line| line.split(['`', ' ', ',']));
    for path in named.filter(|word| word.starts_with("/v1/") || *word == "/metrics") {
        let path = path.replace("ID", "{id}");
        assert!(!described["paths"][&path].is_null(), "{path}");
    }
    let entries = |path: &str| -> BTreeSet<String> {
        let schema = &described["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let schema = schema["$ref"].as_str().map_or(schema, |place| described.pointer(&place[1..]).unwrap());
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    };
    // Older spellings of settings are accepted too, but not described.
    let older = ["samples", "tok", "lang"];
    let mut paths = vec!["/v1/score", "/v1/compare", "/v1/rank", "/v1/check", "/v1/tokenize", "/v1/report"];
    paths.extend(cfg!(feature = "learned").then_some("/v1/parse"));
    for path in paths {
        let refused: Value = serde_json::from_str(&server.post(path, &json!({"no such entry": 1})).text(400)).unwrap();
        let (_, expected) = refused["error"]["message"].as_str().unwrap().split_once("expected one of").unwrap();
        let accepted = expected.split('`').skip(1).step_by(2).filter(|name| !older.contains(name));
        assert_eq!(accepted.map(str::to_owned).collect::<BTreeSet<String>>(), entries(path), "{path}");
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

#[test]
fn tokens_and_folders_are_those_of_flags_and_environment() {
    let dir = TestDir::with(&[("token", "0123456789abcdef\n"), ("short", "x\n")]);
    let error = dir.error(2, &["serve", "--listen", "0.0.0.0:0"]);
    assert!(error.contains("--listen 0.0.0.0:0") && error.contains("--token-file"), "{error}");
    let error = dir.error(2, &["serve", "--token-file", "short"]);
    assert!(error.contains("at least 16"), "{error}");
    let error = dir.error(1, &["serve", "--allow-files", "none"]);
    assert!(error.contains("--allow-files: cannot read the folder none"), "{error}");
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
    assert_eq!(server.get("/v1/metrics").status, 401);
}

#[test]
fn files_of_requests_are_read_as_those_of_the_command() {
    let dir = files();
    dir.write("models/words", b"the\nof\n");
    let server = TestServer::start(&dir, &["--allow-files", "models"]);
    let german = request(json!({"metrics": ["meteor:function_words=words"], "language": "de"}));
    let words =
        ["score", "-q", "-r", "ref", "-l", "de", "-m", "meteor:function_words=models/words", "-f", "json", "a", "b"];
    let by_command: Value = serde_json::from_str(&dir.stdout(&words)).unwrap();
    let scored = server.post("/v1/score", &german).json();
    assert_eq!(scored[0]["score"], by_command[0]["score"]);
    assert!(scored[0]["signature"].as_str().unwrap().contains("lang=de"), "{scored}");
}

#[cfg(unix)]
#[test]
fn a_signal_lets_requests_finish_and_ends_the_server() {
    let dir = files();
    let mut server = TestServer::start(&dir, &["--threads", "1"]);
    let lines = vec!["word ".repeat(150); 1500];
    let systems = json!([{"name": "a", "hypotheses": lines}]);
    let body = json!({"references": lines, "systems": systems, "metrics": ["chrf"]});
    let mut running = server.begin("/v1/score", &body);
    server.wait_for("tercet_jobs_running", 1.0);
    let status = std::process::Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(status.success());
    assert!(Answer::read(&mut running).text(200).contains("\"metric\": \"chrf\""));
    assert!(server.child.wait().unwrap().success());
    assert!(std::net::TcpStream::connect(server.address).is_err());
    let mut messages = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert!(messages.starts_with("stopping; unfinished requests: 1"), "{messages}");
}

#[test]
fn scores_of_documents_are_the_bytes_of_the_command() {
    let dir = files();
    dir.write("ids", b"x\ny\nx\ny\n");
    let server = TestServer::start(&dir, &[]);
    let words =
        ["score", "-q", "-r", "ref", "-m", "chrf", "--level", "document", "--document-ids", "ids", "-f", "json"];
    let expected = dir.stdout(&[&words[..], &["a", "b"]].concat());
    let documents = json!({"metrics": ["chrf"], "level": "document", "documents": ["x", "y", "x", "y"]});
    assert_eq!(server.post("/v1/score", &request(documents)).text(200), expected);
    for wrong in [json!({"level": "document"}), json!({"documents": ["x", "y", "x", "y"]})] {
        let status = server.post("/v1/score", &request(wrong.clone())).status;
        assert!([400, 422].contains(&status), "{wrong}: {status}");
    }
}
