//! The service as its clients see it.

mod access;
mod http_client;
mod limits;
mod messages;

use http_client::Client;
use serde_json::{Value, json};
use std::net::SocketAddr;
use tercet_serve::{Service, Settings};

const REFERENCE: [&str; 4] =
    ["The cat sat on the mat.", "It rained all day long.", "Two birds sang in a tree.", "He said nothing at all."];
const A: [&str; 4] =
    ["The cat sat on a mat.", "It was raining all day.", "Two birds sang in the tree.", "He did not say anything."];
const B: [&str; 4] = ["Cat is sitting mat.", "It rained the day.", "Birds were singing.", "He said nothing at all."];

/// Starts a service on a free port, which ends with the tests.
fn start(settings: Settings) -> Client {
    let listen = SocketAddr::new(settings.listen.ip(), 0);
    let service = Service::bind(&Settings { listen, ..settings }, tercet::registry()).unwrap();
    let mut address = service.address();
    std::thread::spawn(move || service.run(|_| {}));
    if address.ip().is_unspecified() {
        address.set_ip([127, 0, 0, 1].into());
    }
    Client { address }
}

/// A request about two systems, with further fields.
fn request(more: Value) -> Value {
    let systems = json!([{"name": "a", "hypotheses": A}, {"name": "b", "hypotheses": B}]);
    let mut request = json!({"references": REFERENCE, "systems": systems});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}
