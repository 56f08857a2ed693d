//! The lab in the browser, asked as a page asks, and as others do.

mod answers;
mod attacks;
pub mod client;
mod fuzzed;
mod live;
mod outside;
