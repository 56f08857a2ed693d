//! What is asked, and what is answered, apart from any connection.

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
    /// Whether it is a POST; else it is a GET.
    pub is_post: bool,
    /// Whether its body is said to be JSON.
    pub is_json: bool,
    /// The path, such as `/api/runs`.
    pub path: String,
    /// What stands behind the `?`, as it came.
    pub query: String,
    /// The body of a POST.
    pub body: Vec<u8>,
}

/// The work of a stream, which ends, or is refused.
pub type Work = dyn FnOnce(&Events) -> Result<(), Refusal> + Send;

/// What a stream is for: only so many of a kind go on at a time, and none takes the place of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// To search, which ends when its time is over.
    Search,
    /// To let an agent move, for which a game waits; it ends likewise.
    Move,
    /// To watch something until nobody listens any more.
    Watch,
}

/// An answer.
pub enum Reply {
    /// All of it at once.
    Whole {
        /// What it is, for the header `Content-Type`.
        kind: &'static str,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Events, as the work makes them.
    Stream {
        /// What it is for.
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

    /// Events of some work. What goes wrong before the first of them is an answer of its own; later it is the
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

/// Why a request is not answered.
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

    /// Input that cannot be used.
    pub fn input(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, why)
    }

    /// Something that is not there.
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

/// An event as it is sent; or why there are no more of them.
pub type Told = Result<Vec<u8>, Refusal>;

/// An event as it is sent.
fn event(name: &str, data: &impl Serialize) -> Vec<u8> {
    let data = serde_json::to_string(data).expect("events are JSON");
    format!("event: {name}\ndata: {data}\n\n").into_bytes()
}

/// The rest after a look, in multiples of the time that it took: a long run is not read all the time.
const REST: u32 = 3;
/// The longest rest.
const LONGEST_REST: Duration = Duration::from_secs(10);
/// The pause between two looks at files.
const PAUSE: Duration = Duration::from_millis(400);
/// The number of looks after which something is said, to see whether somebody listens.
const SILENCE: u32 = 25;

/// Where the work of a [stream](Reply::Stream) tells its events.
pub struct Events {
    to: mpsc::Sender<Told>,
    /// Becomes true when nobody listens any more, or the time is over.
    stop: Arc<AtomicBool>,
    started: Instant,
}

impl Events {
    /// Events that go there.
    pub fn new(to: mpsc::Sender<Told>, stop: Arc<AtomicBool>) -> Events {
        Events {
            to,
            stop,
            started: Instant::now(),
        }
    }

    /// Tells an event; returns whether somebody listens.
    pub fn tell(&self, name: &str, data: &impl Serialize) -> bool {
        self.to.blocking_send(Ok(event(name, data))).is_ok()
    }

    /// Tells why nothing more is told.
    pub(super) fn refuse(&self, refusal: Refusal) {
        // Where nobody listens, nobody misses it.
        let _ = self.to.blocking_send(Err(refusal));
    }

    /// Looks again and again for something to tell, less often if a look takes long, until nobody listens any more. After a
    /// while of silence it says what nobody hears, to notice when the connection is gone. Errors: as `look`, which tells
    /// whether it told something.
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
                // Whether it was heard is seen at the next look.
                let _ = self.to.blocking_send(Ok(b": still here\n\n".to_vec()));
            }
        }
    }

    /// What tells the work to stop.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Seconds since the work began.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}
