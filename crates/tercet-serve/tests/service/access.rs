//! Who can reach a service, and which files it reads.

use super::{request, start};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tercet_serve::{Error, Service, Settings};

#[test]
fn other_machines_need_a_token() {
    let bind = |settings: Settings| Service::bind(&settings, tercet::registry());
    let open = Settings { listen: ([0, 0, 0, 0], 0).into(), ..Settings::default() };
    assert!(matches!(bind(open.clone()), Err(Error::NoToken { .. })));
    let short = Settings { token: Some("x".to_owned()), ..Settings::default() };
    assert!(matches!(bind(short), Err(Error::BadToken)));
    let server = start(Settings { token: Some("0123456789abcdef".to_owned()), ..open });
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
    let server = start(Settings::default());
    let rebound = server.raw(b"GET /v1/metrics HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
    assert_eq!(rebound.code(), "other_host");
    let crossed = server.request("GET", "/v1/metrics", "Origin: http://example.org\r\n", b"");
    assert_eq!(crossed.code(), "other_site");
    let answer = server.request("OPTIONS", "/v1/score", "Origin: http://example.org\r\n", b"");
    assert_eq!((answer.status, answer.field("access-control-allow-origin")), (403, None));
}

#[test]
fn a_proxy_passes_its_name_and_its_path() {
    let settings =
        Settings { hosts: vec!["mt.example.org".to_owned()], base_path: "/tercet/".to_owned(), ..Settings::default() };
    let server = start(settings);
    let of_proxy = |path: &str, fields: &str| {
        server
            .raw(format!("GET {path} HTTP/1.1\r\nHost: mt.example.org\r\nConnection: close\r\n{fields}\r\n").as_bytes())
    };
    let own = "Origin: https://mt.example.org\r\nSec-Fetch-Site: same-origin\r\n";
    assert_eq!(of_proxy("/tercet/v1/metrics", own).status, 200);
    assert_eq!(of_proxy("/tercet/v1/metrics", "Origin: https://example.org\r\n").code(), "other_site");
    let page = of_proxy("/tercet", "");
    assert_eq!((page.status, page.field("location")), (308, Some("/tercet/")));
    assert!(of_proxy("/tercet/", "").text(200).contains("src=\"page.js\""));
    let described = server.get("/tercet/v1/openapi.json").json();
    assert_eq!(described["servers"][0]["url"], "/tercet");
    let outside = server.get("/v1/metrics");
    assert!(outside.text(404).contains("/tercet/v1/openapi.json"));
    let counted = server.get("/tercet/metrics").text(200);
    assert!(counted.contains("tercet_requests_total{route=\"/v1/metrics\",status=\"200\"} 1"), "{counted}");
}

#[test]
fn paths_before_the_addresses_are_checked() {
    for path in ["tercet", "/ter cet", "/a//b", "/../a", "/{id}"] {
        let bound = Service::bind(&Settings { base_path: path.to_owned(), ..Settings::default() }, tercet::registry());
        assert!(matches!(bound, Err(Error::BadBasePath { .. })), "{path}");
    }
}

#[test]
fn with_a_path_only_what_needs_no_token_is_open() {
    let token = Some("0123456789abcdef".to_owned());
    let server = start(Settings { token, base_path: "/tercet".to_owned(), ..Settings::default() });
    for (path, status) in [("/tercet/v1/health", 200), ("/tercet/page.js", 200), ("/tercet/v1/runs", 401), ("/x", 401)]
    {
        assert_eq!(server.get(path).status, status, "{path}");
    }
}

#[test]
fn the_access_log_has_a_line_for_each_answer_and_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("access.log");
    let settings =
        Settings { token: Some("0123456789abcdef".to_owned()), access_log: Some(path.clone()), ..Settings::default() };
    let server = start(settings);
    let bearer = "Authorization: Bearer 0123456789abcdef\r\nContent-Type: application/json\r\n";
    let body = request(json!({"metrics": ["chrf"]})).to_string();
    assert_eq!(server.request("POST", "/v1/score?token=0123456789abcdef", bearer, body.as_bytes()).status, 200);
    assert_eq!(server.request("GET", "/v1/\u{1b}none", "", b"").status, 400);
    assert_eq!(server.request("GET", "/none", "", b"").status, 401);
    let end = Instant::now() + Duration::from_secs(20);
    let lines = loop {
        let written = std::fs::read_to_string(&path).unwrap();
        if written.matches('\n').count() >= 2 || Instant::now() > end {
            break written;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let secret = ["0123456789abcdef", "The cat sat"].map(|secret| lines.contains(secret));
    assert_eq!(secret, [false, false], "{lines}");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> =
        lines.iter().map(|line| (line["method"].as_str(), line["path"].as_str(), line["status"].as_u64())).collect();
    assert_eq!(told, [(Some("POST"), Some("/v1/score"), Some(200)), (Some("GET"), Some("/none"), Some(401))]);
    assert_eq!(lines[0]["client"], "127.0.0.1");
    assert!(lines[0]["bytes"].as_u64() > Some(100) && lines[0]["seconds"].as_f64() > Some(0.0), "{}", lines[0]);
    assert!(lines[0]["time"].as_str().is_some_and(|time| time.starts_with("20") && time.ends_with('Z')));
}

#[test]
fn files_are_found_in_the_allowed_folder_only() {
    let dir = tempfile::tempdir().unwrap();
    let models = dir.path().join("models");
    std::fs::create_dir(&models).unwrap();
    std::fs::write(models.join("words"), "the\nof\n").unwrap();
    std::fs::write(dir.path().join("ref"), "x\n").unwrap();
    let server = start(Settings { files: Some(models), ..Settings::default() });
    let scored = server.post("/v1/score", &request(json!({"metrics": ["meteor:function_words=words"]}))).json();
    assert_eq!(scored[0]["metric"], "meteor:function_words=words");
    let other = request(json!({"metrics": ["meteor:function_words=words|function_words=00000000"]}));
    assert!(server.post("/v1/score", &other).text(422).contains("00000000"));
    for file in ["../ref", "/etc/hostname", "none"] {
        let body = request(json!({"metrics": [format!("meteor:function_words={file}")]}));
        assert_eq!(server.post("/v1/score", &body).status, 422, "{file}");
    }
}

#[test]
fn the_page_runs_only_its_own_files() {
    let server = start(Settings::default());
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
