//! Connections: how many, how long, and what is said to those that send no whole request.

use crate::limits::{CONNECTIONS, HEAD_BYTES, HEAD_FIELDS, HEAD_TIME};
use crate::slow_reader::SlowReader;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioTimer;
use hyper_util::service::TowerToHyperService;
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// How long bytes are read that nobody wants, so that the client reads the answer before the connection is gone.
const LINGER: Duration = Duration::from_secs(2);

/// How long to wait after a connection could not be accepted, for want of file handles.
const PAUSE: Duration = Duration::from_millis(50);

/// Who sent a request.
#[derive(Clone, Copy)]
pub struct Client(pub IpAddr);

/// Accepts connections until it is stopped; then waits for those that have unfinished requests.
pub async fn accept_all(listener: TcpListener, router: Router, mut stopped: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let next = async {
            let permit = Arc::clone(&room).acquire_owned().await;
            listener.accept().await.map(|(stream, address)| (stream, Client(address.ip()), permit))
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        match accepted {
            Ok((stream, client, permit)) => {
                let (router, stopped) = (router.clone(), stopped.clone());
                connections.spawn(async move {
                    answer(stream, client, router, stopped).await;
                    drop(permit);
                });
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, client: Client, router: Router, mut stopped: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let mut settings = http1::Builder::new();
    settings.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    settings.max_headers(HEAD_FIELDS).max_buf_size(HEAD_BYTES);
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(client);
        router.call(request)
    });
    let mut connection = settings.serve_connection(SlowReader::new(stream), service);
    let stopping = tokio::select! {
        ended = poll_fn(|context| connection.poll_without_shutdown(context)) => Some(ended),
        _ = stopped.wait_for(|stopped| *stopped) => None,
    };
    let ended = match stopping {
        Some(ended) => ended,
        None => {
            Pin::new(&mut connection).graceful_shutdown();
            poll_fn(|context| connection.poll_without_shutdown(context)).await
        }
    };
    let parts = connection.into_parts();
    let mut stream = parts.io.into_inner();
    if let Err(error) = ended {
        let is_begun = !parts.read_buf.is_empty();
        if let Some(last) = last_words(&error).filter(|_| is_begun) {
            let _ = timeout(LINGER, stream.write_all(last.as_bytes())).await;
        }
    }
    let _ = timeout(LINGER, end(&mut stream)).await;
}

/// What is said to a client that began a request and did not finish its head.
fn last_words(error: &hyper::Error) -> Option<String> {
    let (status, code, message) = if error.is_timeout() {
        ("408 Request Timeout", "slow", "the head of the request was sent too slowly")
    } else if error.is_incomplete_message() {
        ("400 Bad Request", "incomplete", "the head of the request is not complete")
    } else {
        return None;
    };
    let body = format!("{{\"error\": {{\"code\": \"{code}\", \"message\": \"{message}\"}}}}\n");
    Some(format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    ))
}

/// Says that nothing more will be sent, and reads what the client still sends: a connection that is closed with unread
/// bytes is reset, and the client may lose the answer.
async fn end(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.shutdown().await?;
    let mut unread = [0; 16 << 10];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
