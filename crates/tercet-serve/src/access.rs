//! Who may ask: the token, and pages of other sites in a browser on this machine.
//!
//! Without a token the server can be reached from this machine only, but a browser on it shows pages of other sites
//! too. Such a page could send requests here under a name that its owner lets point to this machine, so the name in
//! `Host` must be one of this machine; and it could send them across sites, so `Origin` must be the server's own.

use crate::Error;
use crate::error_response::ErrorResponse;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use std::hint::black_box;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

/// The fewest characters of a token.
pub const MIN_TOKEN_LENGTH: usize = 16;

/// What is demanded of requests.
pub struct Access {
    /// What clients must send, if anything.
    pub token: Option<String>,
    /// Whether only this machine can reach the server.
    pub is_loopback: bool,
    /// Further names in `Host` and `Origin`, which a proxy passes on.
    pub hosts: Vec<String>,
}

impl Access {
    /// Returns an error if a token is too short to be safe, there is none although other machines reach the server, or
    /// a name cannot be one of a host.
    pub fn new(address: SocketAddr, token: Option<String>, hosts: &[String]) -> Result<Self, Error> {
        let is_loopback = address.ip().is_loopback();
        if let Some(name) = hosts.iter().find(|name| !is_host(name)) {
            return Err(Error::BadHost { name: name.clone() });
        }
        match &token {
            Some(token) if token.len() < MIN_TOKEN_LENGTH || !token.chars().all(|c| c.is_ascii_graphic()) => {
                Err(Error::BadToken)
            }
            None if !is_loopback => Err(Error::NoToken { address }),
            _ => Ok(Access { token, is_loopback, hosts: hosts.to_vec() }),
        }
    }

    /// Returns an error if the request does not come from where it should, or lacks the token where `is_open` is false.
    pub fn check(&self, headers: &HeaderMap, is_open: bool) -> Result<(), ErrorResponse> {
        let host = text(headers, header::HOST)
            .ok_or_else(|| ErrorResponse::new(StatusCode::BAD_REQUEST, "no_host", "the request has no Host header"))?;
        if headers.get_all(header::HOST).iter().count() > 1 {
            let message = "the request has several Host headers";
            return Err(ErrorResponse::new(StatusCode::BAD_REQUEST, "two_hosts", message));
        }
        if self.is_loopback && !is_this_machine(host) && !self.is_allowed(host) {
            return Err(ErrorResponse::new(
                StatusCode::MISDIRECTED_REQUEST,
                "other_host",
                "this server answers as localhost, 127.0.0.1, [::1] or another loopback address only; --allow-host \
                 adds a name, as that of a proxy",
            ));
        }
        if self.is_of_another_site(headers, host) {
            let message = "requests from pages of other sites are refused";
            return Err(ErrorResponse::new(StatusCode::FORBIDDEN, "other_site", message));
        }
        match &self.token {
            Some(token) if !is_open && !has_token(headers, token) => Err(ErrorResponse::new(
                StatusCode::UNAUTHORIZED,
                "no_token",
                "this server needs its token: send `Authorization: Bearer TOKEN`",
            )),
            _ => Ok(()),
        }
    }

    /// Whether a name, with or without a port, is one of those that are allowed.
    fn is_allowed(&self, host: &str) -> bool {
        self.hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host) || allowed.eq_ignore_ascii_case(name(host)))
    }

    fn is_of_another_site(&self, headers: &HeaderMap, host: &str) -> bool {
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        if matches!(site, Some("cross-site" | "same-site")) {
            return true;
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return false };
        let origin = origin.to_str().unwrap_or_default();
        let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        !from.is_some_and(|from| from == host || self.is_allowed(from))
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A host without its port.
fn name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a text can be the name of a host, with or without a port.
fn is_host(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    !name(text).is_empty() && text.chars().all(is_letter)
}

/// Whether the name of a `Host` header, with or without a port, can only be this machine.
fn is_this_machine(host: &str) -> bool {
    let name = name(host);
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let is_loopback = match address {
        Some(address) => address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback()),
        None => name.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback()),
    };
    is_loopback || name.eq_ignore_ascii_case("localhost")
}

fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let sent = headers.get(header::AUTHORIZATION).map_or(&[][..], |value| value.as_bytes());
    let sent = match sent.split_at_checked(7) {
        Some((scheme, sent)) if scheme.eq_ignore_ascii_case(b"bearer ") => sent,
        _ => return false,
    };
    is_equal(sent, token.as_bytes())
}

/// Whether two texts are equal, in a time that does not depend on where they differ.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    let difference = a.iter().zip(b).fold(0, |difference, (a, b)| difference | black_box(a ^ b));
    a.len() == b.len() && black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn refused(access: &Access, fields: &[(&'static str, &'static str)]) -> bool {
        access.check(&headers(fields), false).is_err()
    }

    #[test]
    fn on_this_machine_the_host_must_be_this_machine() {
        let access = Access { token: None, is_loopback: true, hosts: Vec::new() };
        for host in ["localhost:8377", "127.0.0.1", "127.0.0.2:8377", "[::1]:80", "LOCALHOST"] {
            assert!(!refused(&access, &[("host", host)]), "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org:80", "localhost.example.org", "", "::1", "10.0.0.1", "[::2]"]
        {
            assert!(refused(&access, &[("host", host)]), "{host}");
        }
        assert!(refused(&access, &[]));
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let access = Access { token: None, is_loopback: true, hosts: Vec::new() };
        let host = ("host", "localhost:8377");
        assert!(!refused(&access, &[host, ("origin", "http://localhost:8377")]));
        assert!(refused(&access, &[host, ("origin", "http://example.org")]));
        assert!(refused(&access, &[host, ("origin", "null")]));
        assert!(refused(&access, &[host, ("sec-fetch-site", "cross-site")]));
        assert!(!refused(&access, &[host, ("sec-fetch-site", "same-origin")]));
    }

    #[test]
    fn names_of_proxies_are_allowed_by_name_or_with_their_port() {
        let hosts = ["mt.example.org".to_owned(), "[2001:db8::1]:8443".to_owned()];
        let access = Access::new(([127, 0, 0, 1], 0).into(), None, &hosts).unwrap();
        for host in ["mt.example.org", "MT.example.org:8443", "[2001:db8::1]:8443", "localhost:1"] {
            assert!(!refused(&access, &[("host", host)]), "{host}");
        }
        for host in ["example.org", "a.mt.example.org", "mt.example.org.evil.net", "[2001:db8::1]:80"] {
            assert!(refused(&access, &[("host", host)]), "{host}");
        }
        // A proxy may pass its own name for the server's, and leaves the browser's `Origin` as it is.
        let host = ("host", "127.0.0.1:8377");
        assert!(!refused(&access, &[host, ("origin", "https://mt.example.org")]));
        assert!(refused(&access, &[host, ("origin", "https://example.org")]));
        assert!(refused(&access, &[host, ("origin", "https://mt.example.org"), ("sec-fetch-site", "cross-site")]));
        for name in ["", ":80", "https://mt.example.org", "mt.example.org/tercet", "*"] {
            let access = Access::new(([127, 0, 0, 1], 0).into(), None, &[name.to_owned()]);
            assert!(matches!(access, Err(Error::BadHost { .. })), "{name}");
        }
    }

    #[test]
    fn a_token_must_be_whole() {
        let access = Access { token: Some("0123456789abcdef".to_owned()), is_loopback: false, hosts: Vec::new() };
        let host = ("host", "mt.example.org");
        assert!(!refused(&access, &[host, ("authorization", "Bearer 0123456789abcdef")]));
        for sent in ["Bearer 0123456789abcde", "Bearer 0123456789abcdeg", "Basic 0123456789abcdef", "Bearer ", ""] {
            assert!(refused(&access, &[host, ("authorization", sent)]), "{sent}");
        }
        assert!(refused(&access, &[host]));
        assert!(access.check(&headers(&[host]), true).is_ok());
    }
}
