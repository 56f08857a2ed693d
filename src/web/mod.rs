//! The user interface in the browser: one page, and what it requests as JSON, which `docs/api.md` describes.
//!
//! A [`Server`] listens on one address and answers from a [`Lab`], which can also be used without a
//! connection. It reads runs and writes nothing. A caller needs the token of the server; see
//! [`Server::url`].

mod access;
mod api;
mod assets;
mod body;
mod figure;
mod http;
mod lab;
mod patient;
mod query;
mod reply;
mod report_file;

pub use api::answer;
pub use http::Server;
pub use lab::Lab;
pub use reply::{Asked, Events, Refusal, Reply, StreamKind};
pub use report_file::report;
