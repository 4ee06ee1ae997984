//! Who can reach a service, and which files it reads.

use super::{request, start};
use serde_json::json;
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
