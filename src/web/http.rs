//! Connections: requests in, answers out.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue, LOCATION, SET_COOKIE};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::timeout;

use super::access::{AccessControl, is_json};
use super::assets::asset;
use super::body::{Ended, Sent};
use super::lab::Lab;
use super::patient::Patient;
use super::query::Query;
use super::reply::{Asked, Events, Refusal, Reply, StreamKind};
use super::{answer, lab};
use crate::error::Error;

/// The most bytes of a request's body.
const MOST_BODY: usize = 64 << 10;
/// The most bytes of a request's head.
const MOST_HEAD: usize = 16 << 10;
/// How long to wait for a request to arrive, for permission to answer it, for the answer to be found, and for the
/// other side to accept what it is sent.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection may send new requests.
const LONGEST: Duration = Duration::from_secs(60);
/// The most simultaneous connections.
const CONNECTIONS: usize = 100;
/// The most answers made at the same time; others wait.
const ANSWERS: usize = 4;
/// The most pages that watch something at the same time, and connections that they may hold.
const WATCHES: usize = 24;

/// The headers of every answer. A page may load only what this server has, and not be embedded in another page.
const HEADERS: [(&str, &str); 7] = [
    ("cache-control", "no-store"),
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// A server that has its address, but does not answer yet.
pub struct Server {
    listener: TcpListener,
    state: State,
}

/// State shared by all connections.
struct State {
    access: AccessControl,
    lab: Arc<Lab>,
    patience: Duration,
    connections: Arc<Semaphore>,
    answers: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    moves: Arc<Semaphore>,
    watches: Arc<Semaphore>,
}

impl Server {
    /// Binds an address, at which it answers from a lab; port 0 is any free one. Errors:
    /// [`Error::System`] if the address is not available.
    pub fn bind(address: SocketAddr, lab: Arc<Lab>) -> Result<Server, Error> {
        let failed = |error| Error::system("listen at", Path::new(&address.to_string()))(error);
        let listener = TcpListener::bind(address).map_err(failed)?;
        let taken = listener.local_addr().map_err(failed)?;
        Ok(Server {
            listener,
            state: State {
                access: AccessControl::new(taken),
                lab,
                patience: PATIENCE,
                connections: Arc::new(Semaphore::new(CONNECTIONS)),
                answers: Arc::new(Semaphore::new(ANSWERS)),
                searches: Arc::new(Semaphore::new(lab::searches())),
                moves: Arc::new(Semaphore::new(lab::searches())),
                watches: Arc::new(Semaphore::new(WATCHES)),
            },
        })
    }

    /// Sets how long the server waits for a request to arrive, for permission to answer it, for the answer to be
    /// found, and for the other side to accept what it is sent; ten seconds by default. Searches have their own
    /// limit. With zero, requests fail immediately.
    pub fn with_patience(mut self, patience: Duration) -> Server {
        self.state.patience = patience;
        self
    }

    /// The address of the page, with the token that every request needs.
    pub fn url(&self) -> String {
        self.state.access.url()
    }

    /// The address with a ticket, which admits one browser and is worthless afterwards.
    pub fn ticket_url(&self) -> String {
        self.state.access.ticket_url()
    }

    /// Answers until the process ends. Errors: [`Error::System`] if it cannot start.
    pub fn run(self) -> Result<Infallible, Error> {
        let failed = |error| Error::system("start", Path::new("the server"))(error);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            // Searches, moves, watches and answers each have a thread; idle ones end.
            .max_blocking_threads(WATCHES + ANSWERS + 2 * lab::searches())
            .build()
            .map_err(failed)?;
        self.listener.set_nonblocking(true).map_err(failed)?;
        let state = Arc::new(self.state);
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(failed)?;
            loop {
                let permit = Arc::clone(&state.connections).acquire_owned().await;
                let stream = match listener.accept().await {
                    Ok((stream, _)) => stream,
                    // There are too many open files, or the other side is already gone.
                    Err(_) => {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                };
                let _ = stream.set_nodelay(true);
                let state = Arc::clone(&state);
                tokio::spawn(async move {
                    let patience = state.patience;
                    let service = service_fn(|request| respond(Arc::clone(&state), request));
                    let connection = http1::Builder::new()
                        .timer(TokioTimer::new())
                        .header_read_timeout(patience)
                        .max_buf_size(MOST_HEAD)
                        .serve_connection(Patient::new(TokioIo::new(stream), patience), service);
                    let mut connection = std::pin::pin!(connection);
                    // A request that is not HTTP has been answered already.
                    if timeout(LONGEST, connection.as_mut()).await.is_err() {
                        // What is being sent is sent to its end, but nothing new is started.
                        connection.as_mut().graceful_shutdown();
                        let _ = connection.await;
                    }
                    drop(permit);
                });
            }
        })
    }
}

async fn respond(
    state: Arc<State>,
    request: Request<Incoming>,
) -> Result<Response<Sent>, Infallible> {
    let (head, body) = request.into_parts();
    let mut response = match routed(&state, &head, body).await {
        Ok(response) => response,
        Err(refusal) => {
            let json = refusal.json().to_string();
            let mut response = whole("application/json", json.into_bytes());
            *response.status_mut() = refusal.status;
            if refusal.status == StatusCode::METHOD_NOT_ALLOWED {
                // For GET instead of POST, or the reverse, the other method is suggested.
                let allowed = match head.method {
                    Method::GET | Method::HEAD => "POST",
                    Method::POST => "GET, HEAD",
                    _ if !head.uri.path().starts_with("/api/") => "GET, HEAD",
                    _ => "GET, HEAD, POST",
                };
                let allowed = HeaderValue::from_static(allowed);
                response.headers_mut().insert(ALLOW, allowed);
            }
            response
        }
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn whole(kind: &'static str, bytes: Vec<u8>) -> Response<Sent> {
    let mut response = Response::new(Sent::Whole(Some(bytes.into())));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

async fn routed(
    state: &Arc<State>,
    head: &Parts,
    body: Incoming,
) -> Result<Response<Sent>, Refusal> {
    state.access.check_origin(head)?;
    let path = head.uri.path();
    // An answer to HEAD is sent without its body.
    let is_get = head.method == Method::GET || head.method == Method::HEAD;
    if !is_get && head.method != Method::POST {
        let why = format!(
            "the method {} is not known here, expected GET, HEAD or POST",
            head.method
        );
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why));
    }
    if path.starts_with("/api/") {
        state.access.check_api(head)?;
        let asked = Asked {
            is_post: !is_get,
            is_json: is_json(head),
            path: path.to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            body: read(body, state.patience).await?,
        };
        return api(state, asked).await;
    }
    if !is_get && asset(path).is_some() {
        let why = format!("{path} is a part of the page, expected GET");
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why));
    }
    // A request for the head alone does not use up a ticket.
    if path == "/"
        && head.method == Method::GET
        && let Some(query) = head.uri.query()
        && let Ok(query) = Query::read(query, &["token", "ticket"])
    {
        let access = &state.access;
        match (query.get("token"), query.get("ticket")) {
            (Some(token), _) => return entrance(access, access.is_token(token)),
            (None, Some(ticket)) => return entrance(access, access.take_ticket(ticket)),
            (None, None) => {}
        }
    }
    match asset(path) {
        Some((kind, text)) => Ok(whole(kind, text.into())),
        None => Err(Refusal::missing(format!(
            "there is no {path} here, the page is at /"
        ))),
    }
}

/// Makes the browser keep the token, and removes the secret from the address.
fn entrance(access: &AccessControl, may_enter: bool) -> Result<Response<Sent>, Refusal> {
    if !may_enter {
        let why = "this token is wrong, or the ticket was used; open the address that lab serve printed when it \
                   started last";
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, why));
    }
    let mut response = Response::new(Sent::Whole(None));
    *response.status_mut() = StatusCode::SEE_OTHER;
    let cookie = access.cookie().parse().expect("a cookie is a header");
    let headers = response.headers_mut();
    headers.insert(SET_COOKIE, cookie);
    headers.insert(LOCATION, HeaderValue::from_static("/"));
    Ok(response)
}

async fn read(mut body: Incoming, patience: Duration) -> Result<Vec<u8>, Refusal> {
    let too_large = || {
        let why = format!("the body is too large, expected at most {MOST_BODY} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, why)
    };
    if body.size_hint().lower() > MOST_BODY as u64 {
        return Err(too_large());
    }
    let all = async {
        let mut bytes = Vec::new();
        while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            let cut = |_| Refusal::input("the body did not arrive whole");
            if let Ok(data) = frame.map_err(cut)?.into_data() {
                if bytes.len() + data.len() > MOST_BODY {
                    return Err(too_large());
                }
                bytes.extend_from_slice(&data);
            }
        }
        Ok(bytes)
    };
    let why = "the body took too long to arrive";
    let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, why);
    timeout(patience, all).await.map_err(late)?
}

/// Makes an answer in a thread of its own. Where panics unwind, one before a stream begins becomes
/// an answer, too; a later one ends the stream.
async fn api(state: &Arc<State>, asked: Asked) -> Result<Response<Sent>, Refusal> {
    let lab = Arc::clone(&state.lab);
    let permit = permit_of(&state.answers, state.patience, "questions are open").await?;
    let stop = Arc::new(AtomicBool::new(false));
    // If the connection ends, this is dropped, which stops the work.
    let ended = Ended(Arc::clone(&stop));
    stop_after(state.patience, &stop);
    let work = move || {
        let _permit = permit;
        answer(&lab, &asked, &stop)
    };
    let reply = tokio::task::spawn_blocking(work).await;
    drop(ended);
    let reply = reply.map_err(|_| {
        let why = "this is a fault of the program; see what it printed in the terminal";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    })??;
    let (kind, work) = match reply {
        Reply::Whole { kind, bytes } => return Ok(whole(kind, bytes)),
        Reply::Stream { kind, work } => (kind, work),
    };
    let (among, what) = match kind {
        StreamKind::Search => (&state.searches, "searches go on"),
        StreamKind::Move => (&state.moves, "agents think about a move"),
        StreamKind::Watch => (&state.watches, "pages are open"),
    };
    // A stream that was just stopped takes a moment to end.
    let permit = permit_of(among, Duration::from_millis(500), what).await?;
    let stop = Arc::new(AtomicBool::new(false));
    let ended = Ended(Arc::clone(&stop));
    let (to, mut from) = mpsc::channel(16);
    if kind != StreamKind::Watch {
        stop_after(Duration::from_secs(lab::SECONDS), &stop);
    }
    let events = Events::new(to, stop);
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        if let Err(refusal) = work(&events) {
            events.refuse(refusal);
        }
    });
    // A stream that cannot begin is refused like any other request.
    let first = from.recv().await.transpose()?;
    let mut response = whole("text/event-stream", Vec::new());
    *response.body_mut() = Sent::Stream {
        first,
        from,
        _ended: ended,
    };
    Ok(response)
}

/// Waits a while for a permit. Errors: too many are taken.
async fn permit_of(
    among: &Arc<Semaphore>,
    time: Duration,
    what: &str,
) -> Result<OwnedSemaphorePermit, Refusal> {
    match timeout(time, Arc::clone(among).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        _ => {
            let why = format!("too many {what} at once; stop one, or try again in a moment");
            Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, why))
        }
    }
}

/// Stops some work after this time.
fn stop_after(time: Duration, stop: &Arc<AtomicBool>) {
    // Work that has ended by itself is not kept.
    let stop = Arc::downgrade(stop);
    tokio::spawn(async move {
        tokio::time::sleep(time).await;
        if let Some(stop) = stop.upgrade() {
            stop.store(true, Ordering::Relaxed);
        }
    });
}
