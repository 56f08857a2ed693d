//! Bodies of answers: whole ones, or events as they come.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc;

use super::reply::NextEvent;

/// The body of an answer.
pub enum Sent {
    /// All bytes, unless they have been sent.
    Whole(Option<Bytes>),
    /// Events. When the connection ends, the work that makes them is stopped.
    Stream {
        /// The first event, unless it has been sent.
        first: Option<Vec<u8>>,
        /// The source of the other events.
        from: mpsc::Receiver<NextEvent>,
        /// Stops the work when nobody is listening any more.
        _ended: Ended,
    },
}

/// Stops some work when it is dropped.
pub struct Ended(pub Arc<AtomicBool>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Sent::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Sent::Stream { first, from, .. } => {
                if let Some(first) = first.take() {
                    return Poll::Ready(Some(Ok(Frame::data(first.into()))));
                }
                let sent = |event: NextEvent| event.unwrap_or_else(|refusal| refusal.event());
                let next = from.poll_recv(context);
                next.map(|received| received.map(|event| Ok(Frame::data(sent(event).into()))))
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Sent::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Sent::Stream { .. } => SizeHint::default(),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Sent::Whole(None))
    }
}
