//! Requests and answers, independent of any connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use serde::Serialize;
use tokio::sync::mpsc;

use crate::error::Error;

/// A request to the interface.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whether it is a POST rather than a GET.
    pub is_post: bool,
    /// Whether its body is declared as JSON.
    pub is_json: bool,
    /// The path, such as `/api/runs`.
    pub path: String,
    /// The text after the `?`, undecoded.
    pub query: String,
    /// The body of a POST.
    pub body: Vec<u8>,
}

/// The work of a stream, which ends, or is refused.
pub type Work = dyn FnOnce(&Events) -> Result<(), Refusal> + Send;

/// The purpose of a stream: the number of streams of each kind is limited separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// To search; ends when its time is over.
    Search,
    /// To let an agent move, while a game is waiting; ends when its time is over.
    Move,
    /// To watch something until nobody is listening any more.
    Watch,
}

/// An answer.
pub enum Reply {
    /// A whole answer.
    Whole {
        /// Its type, for the header `Content-Type`.
        kind: &'static str,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Events, sent as the work makes them.
    Stream {
        /// Its purpose.
        kind: StreamKind,
        /// The work.
        work: Box<Work>,
    },
}

impl Reply {
    /// This value as JSON.
    pub fn json(value: &impl Serialize) -> Reply {
        Reply::Whole {
            kind: "application/json",
            bytes: serde_json::to_vec(value).expect("answers are JSON"),
        }
    }

    /// Events of some work. A refusal before the first event is an answer of its own; a later one is the
    /// event `refused`.
    pub fn stream(
        kind: StreamKind,
        work: impl FnOnce(&Events) -> Result<(), Refusal> + Send + 'static,
    ) -> Result<Reply, Refusal> {
        Ok(Reply::Stream {
            kind,
            work: Box::new(work),
        })
    }
}

/// The reason why a request is not answered.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The status.
    pub status: StatusCode,
    /// What is wrong, where, and what to do.
    pub why: String,
}

impl Refusal {
    /// A refusal with this status.
    pub fn new(status: StatusCode, why: impl Into<String>) -> Refusal {
        Refusal {
            status,
            why: why.into(),
        }
    }

    /// A refusal of input that cannot be used.
    pub fn input(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, why)
    }

    /// A refusal because something does not exist.
    pub fn missing(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, why)
    }

    /// The refusal as an event.
    pub(super) fn event(&self) -> Vec<u8> {
        event("refused", &self.json())
    }

    /// The refusal as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({ "error": self.why })
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let status = match error {
            Error::Input(_) => StatusCode::BAD_REQUEST,
            Error::Failed(_) | Error::System { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal::new(status, error.to_string())
    }
}

/// An event as it is sent, or the reason why there are no more.
pub type NextEvent = Result<Vec<u8>, Refusal>;

/// An event as it is sent.
fn event(name: &str, data: &impl Serialize) -> Vec<u8> {
    let data = serde_json::to_string(data).expect("events are JSON");
    format!("event: {name}\ndata: {data}\n\n").into_bytes()
}

/// The rest after a look, as a multiple of the time it took, so that a long run is not read all the time.
const REST: u32 = 3;
/// The longest rest.
const LONGEST_REST: Duration = Duration::from_secs(10);
/// The pause between two looks at files.
const PAUSE: Duration = Duration::from_millis(400);
/// The number of looks without news after which something is sent, to check whether anybody is listening.
const SILENCE: u32 = 25;

/// Where the work of a [stream](Reply::Stream) sends its events.
pub struct Events {
    to: mpsc::Sender<NextEvent>,
    /// Becomes true when nobody is listening any more, or the time is over.
    stop: Arc<AtomicBool>,
    started: Instant,
}

impl Events {
    /// Events that are sent to `to`.
    pub fn new(to: mpsc::Sender<NextEvent>, stop: Arc<AtomicBool>) -> Events {
        Events {
            to,
            stop,
            started: Instant::now(),
        }
    }

    /// Sends an event; returns whether anybody is listening.
    pub fn send(&self, name: &str, data: &impl Serialize) -> bool {
        self.to.blocking_send(Ok(event(name, data))).is_ok()
    }

    /// Sends the reason why there are no more events.
    pub(super) fn refuse(&self, refusal: Refusal) {
        // If nobody is listening, it is not needed.
        let _ = self.to.blocking_send(Err(refusal));
    }

    /// Looks for news to send again and again, less often if a look takes long, until nobody is listening any more.
    /// After a while of silence it sends a comment, to notice when the connection is gone. Errors: as `look`, which
    /// returns whether it sent something.
    pub fn watch(&self, mut look: impl FnMut() -> Result<bool, Refusal>) -> Result<(), Refusal> {
        let mut silent = 0;
        let mut next = Instant::now();
        loop {
            std::thread::sleep(PAUSE);
            if self.to.is_closed() || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            if Instant::now() < next {
                continue;
            }
            let started = Instant::now();
            silent = if look()? { 0 } else { silent + 1 };
            next = Instant::now() + (started.elapsed() * REST).min(LONGEST_REST);
            if silent > SILENCE {
                silent = 0;
                // The next look shows whether it arrived.
                let _ = self.to.blocking_send(Ok(b": still here\n\n".to_vec()));
            }
        }
    }

    /// The flag that stops the work.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The seconds since the work began.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}
