//! `tercet serve`: who can reach it, and which files it reads.

use super::http_client::TestServer;
use super::serve::{files, request};
use super::test_dir::TestDir;
use serde_json::{Value, json};

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
    let scored = server.post("/v1/score", &request(json!({"metrics": ["meteor:function_words=words"]}))).json();
    assert_eq!(scored[0]["metric"], "meteor:function_words=words");
    let german = request(json!({"metrics": ["meteor:function_words=words"], "language": "de"}));
    let words =
        ["score", "-q", "-r", "ref", "-l", "de", "-m", "meteor:function_words=models/words", "-f", "json", "a", "b"];
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
