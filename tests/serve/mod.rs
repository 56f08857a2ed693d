//! The lab's server, asked as the page asks, and as others do.

mod answers;
mod attacks;
pub mod client;
mod fuzzed;
mod live;
mod outside;
