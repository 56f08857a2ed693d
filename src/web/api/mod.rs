//! The interface, as `docs/api.md` describes it: each endpoint is a call of the workflow, with a few
//! words around it.

mod games;
mod inspect;
mod play;
mod position;
mod run;
mod runs;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hyper::StatusCode;

use super::lab::Lab;
use super::query::Query;
use super::reply::{Asked, Refusal, Reply};
use crate::search::Limits;

/// The names that queries may have.
const FIGURE: [&str; 3] = ["name...", "metric...", "seeds"];
const POSITION: [&str; 3] = ["game", "position", "moves"];
const AGENT: [&str; 5] = ["game", "position", "moves", "agent", "seed"];
const MATCH: [&str; 5] = ["game", "a", "b", "games", "seed"];
const INSPECT: [&str; 5] = ["run", "seed", "checkpoint", "position", "moves"];
const HISTORY: [&str; 4] = ["run", "seed", "position", "moves"];
const LINE: [&str; 4] = ["run", "seed", "checkpoint", "side"];
const MISTAKES: [&str; 5] = ["run", "seed", "checkpoint", "side", "opponent"];

/// Answers a request, without checking where it comes from. Work that takes long ends when `stop`
/// becomes true. Errors: a [`Refusal`] that says what is wrong.
pub fn answer(lab: &Arc<Lab>, asked: &Asked, stop: &AtomicBool) -> Result<Reply, Refusal> {
    let limits = &Limits::until(stop);
    match asked.path.as_str() {
        "/api/lab" => asked.get(&[]).and_then(|_| games::lab(lab)),
        "/api/games" => asked.get(&[]).and_then(|_| games::games(lab)),
        "/api/runs" => asked.get(&[]).and_then(|_| runs::list(lab)),
        "/api/runs/events" => asked.get(&[]).and_then(|_| runs::watch_list(lab)),
        "/api/run" => run::report(lab, &asked.get(&["name"])?),
        "/api/run/events" => run::watch(lab, &asked.get(&["name"])?),
        "/api/run/training" => run::training(lab, &asked.get(&["name"])?),
        "/api/figure" => run::drawn(lab, &asked.get(&FIGURE)?, limits),
        "/api/figure.svg" => run::picture(lab, &asked.get(&FIGURE)?, limits),
        "/api/position" => position::describe(&asked.get(&POSITION)?),
        "/api/inspect" => inspect::look(lab, &asked.get(&INSPECT)?, limits),
        "/api/inspect/history" => inspect::history(lab, &asked.get(&HISTORY)?, limits),
        "/api/inspect/mistakes" => inspect::mistakes(lab, &asked.get(&MISTAKES)?, limits),
        "/api/inspect/line" => inspect::losing_line(lab, &asked.get(&LINE)?, limits),
        "/api/agents" => asked.get(&[]).and_then(|_| games::agents()),
        "/api/move" => play::make_move(lab, &asked.post(&AGENT)?),
        "/api/think" => play::think(lab, &asked.post(&AGENT)?),
        "/api/hints" => play::hints(lab, &asked.post(&POSITION)?),
        "/api/solve" => play::solve(lab, &asked.post(&POSITION)?),
        "/api/match" => play::play(lab, &asked.post(&MATCH)?),
        path => Err(Refusal::missing(format!(
            "there is no {path}; docs/api.md lists what may be asked"
        ))),
    }
}

impl Asked {
    /// The query of a GET, which may have these names.
    fn get(&self, known: &[&str]) -> Result<Query, Refusal> {
        self.check_method(false)?;
        Query::read(&self.query, known)
    }

    /// The body of a POST, which may have these names.
    fn post(&self, known: &[&str]) -> Result<Query, Refusal> {
        self.check_method(true)?;
        if !self.is_json {
            let why = "a POST needs a JSON body and the header Content-Type: application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
        }
        Query::read(&self.query, &[])?;
        Query::of_body(&self.body, known)
    }

    fn check_method(&self, is_post: bool) -> Result<(), Refusal> {
        if self.is_post == is_post {
            return Ok(());
        }
        let method = if is_post { "POST" } else { "GET" };
        let why = format!("{} is asked for by {method}", self.path);
        Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why))
    }
}
