//! One table of jobs on texts through the command and the service: results, warnings and errors are the same.

use super::http_client::TestServer;
use super::test_dir::TestDir;
use serde_json::{Value, json};

const LINES: [&str; 4] = ["The cat sat on a mat. It rained.", "", "猫坐下。", "“Quoted” &amp; done"];

/// The words of a command, and the path and the settings of the same request.
type Job = (&'static [&'static str], &'static str, Value);

fn tokenize() -> Vec<Job> {
    vec![
        (&["tokenize"], "/v1/tokenize", json!({})),
        (
            &["tokenize", "--tok", "intl", "--lowercase"],
            "/v1/tokenize",
            json!({"tokenizer": "intl", "lowercase": true}),
        ),
        (&["tokenize", "-l", "zh"], "/v1/tokenize", json!({"language": "zh"})),
        (&["tokenize", "-l", "th"], "/v1/tokenize", json!({"language": "th"})),
        (&["tokenize", "-l", "xqq"], "/v1/tokenize", json!({"language": "xqq"})),
        (&["tokenize", "--tok", "no-such"], "/v1/tokenize", json!({"tokenizer": "no-such"})),
    ]
}

#[cfg(feature = "learned")]
fn parse() -> Vec<Job> {
    vec![
        (&["parse"], "/v1/parse", json!({})),
        (&["parse", "-f", "tree", "--split"], "/v1/parse", json!({"format": "tree", "split": true})),
        (
            &["parse", "-f", "brackets", "--tok", "none"],
            "/v1/parse",
            json!({"format": "brackets", "tokenizer": "none"}),
        ),
        (&["parse", "--tok", "no-such"], "/v1/parse", json!({"tokenizer": "no-such"})),
    ]
}

#[cfg(not(feature = "learned"))]
fn parse() -> Vec<Job> {
    Vec::new()
}

#[test]
fn texts_give_the_same_results_warnings_and_errors_through_command_and_service() {
    let dir = TestDir::new();
    dir.write("lines", format!("{}\n", LINES.join("\n")).as_bytes());
    let server = TestServer::start(&dir, &[]);
    for (words, path, settings) in tokenize().into_iter().chain(parse()) {
        let mut body = json!({"lines": LINES});
        body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let (command, answer) = (dir.run(&[words, &["lines"]].concat()), server.post(path, &body));
        let starting = |start: &str| -> Vec<String> {
            command.stderr.lines().filter_map(|line| line.strip_prefix(start)).map(str::to_owned).collect()
        };
        if command.code != 0 {
            let (status, message) = (answer.status, answer.json()["error"]["message"].clone());
            assert_eq!((command.code, status), (2, 422), "{words:?}: {message}");
            assert_eq!(starting("error: "), [message.as_str().unwrap()], "{words:?}");
            continue;
        }
        let found: Value = serde_json::from_str(&answer.text(200)).unwrap();
        let text = match found["lines"].as_array() {
            Some(lines) => lines.iter().map(|line| format!("{}\n", line.as_str().unwrap())).collect(),
            None => found["text"].as_str().unwrap().to_owned(),
        };
        assert_eq!(text, command.stdout, "{words:?}");
        let warnings =
            answer.field("tercet-warnings").map_or(0, |list| serde_json::from_str::<Vec<Value>>(list).unwrap().len());
        assert_eq!(warnings, starting("warning: ").len(), "{words:?}: {}", command.stderr);
    }
}
