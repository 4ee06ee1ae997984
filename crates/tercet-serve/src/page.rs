//! The page at `/`: its files, and what they may do.

use axum::http::header;
use axum::response::IntoResponse;
use tercet::report::html::{SCRIPTS, STYLE};

/// Only files of this server, no inline script or style, no other addresses.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri \
                          'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = include_str!("page/page.html");
const OWN_STYLE: &str = include_str!("page/page.css");

/// The code of the page, after that of the report: each file uses only what those before it declare.
const OWN_SCRIPTS: &[&str] = &[
    include_str!("page/requests.js"),
    include_str!("page/texts.js"),
    include_str!("page/evaluate.js"),
    include_str!("page/live.js"),
    include_str!("page/runs.js"),
    include_str!("page/page.js"),
];

/// The page.
pub async fn html() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], HTML)
}

/// Its style: that of reports, and what it adds.
pub async fn css() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], [STYLE, OWN_STYLE].concat())
}

/// Its code: that of reports, and what it adds.
pub async fn js() -> impl IntoResponse {
    let script = SCRIPTS.concat() + &OWN_SCRIPTS.concat();
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], script)
}
