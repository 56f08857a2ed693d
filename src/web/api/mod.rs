//! The interface, as `docs/api.md` describes it: each endpoint is a call of the workflow, and a few words
//! around it.

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

/// What may be asked for by name.
const FIGURE: [&str; 3] = ["name...", "metric...", "seeds"];
const POSITION: [&str; 3] = ["game", "position", "moves"];
const AGENT: [&str; 5] = ["game", "position", "moves", "agent", "seed"];
const MATCH: [&str; 5] = ["game", "a", "b", "games", "seed"];
const INSPECT: [&str; 5] = ["run", "seed", "checkpoint", "position", "moves"];
const POLICY: [&str; 5] = ["run", "seed", "checkpoint", "side", "opponent"];

/// Answers a request. It does not ask who it comes from. Errors: a [`Refusal`] with what is wrong.
/// What takes long ends when `stop` becomes true.
pub fn answer(lab: &Arc<Lab>, asked: &Asked, stop: &AtomicBool) -> Result<Reply, Refusal> {
    let limits = &Limits::until(stop);
    match asked.path.as_str() {
        "/api/lab" => asked.get(&[], |_| games::lab(lab)),
        "/api/games" => asked.get(&[], |_| games::games(lab)),
        "/api/runs" => asked.get(&[], |_| runs::list(lab)),
        "/api/runs/events" => asked.get(&[], |_| runs::watch_list(lab)),
        "/api/run" => asked.get(&["name"], |query| run::tell(lab, query)),
        "/api/run/events" => asked.get(&["name"], |query| run::watch(lab, query)),
        "/api/run/training" => asked.get(&["name"], |query| run::training(lab, query)),
        "/api/figure" => asked.get(&FIGURE, |query| run::drawn(lab, query, limits)),
        "/api/figure.svg" => asked.get(&FIGURE, |query| run::picture(lab, query, limits)),
        "/api/position" => asked.get(&POSITION, position::describe),
        "/api/inspect" => asked.get(&INSPECT, |query| inspect::look(lab, query, limits)),
        "/api/inspect/history" => asked.get(&INSPECT, |query| inspect::history(lab, query, limits)),
        "/api/inspect/mistakes" => {
            asked.get(&POLICY, |query| inspect::mistakes(lab, query, limits))
        }
        "/api/inspect/line" => asked.get(&POLICY, |query| inspect::losing_line(lab, query, limits)),
        "/api/agents" => asked.get(&[], |_| games::agents()),
        "/api/move" => asked.post(&AGENT, |body| play::make_move(lab, body)),
        "/api/think" => asked.post(&AGENT, |body| play::think(lab, body)),
        "/api/hints" => asked.post(&POSITION, |body| play::hints(lab, body)),
        "/api/solve" => asked.post(&POSITION, |body| play::solve(lab, body)),
        "/api/match" => asked.post(&MATCH, |body| play::play(lab, body)),
        path => Err(Refusal::missing(format!(
            "there is no {path}; docs/api.md lists what may be asked"
        ))),
    }
}

impl Asked {
    /// Answers a GET that may have these names in its query.
    fn get(
        &self,
        known: &[&str],
        answer: impl FnOnce(&Query) -> Result<Reply, Refusal>,
    ) -> Result<Reply, Refusal> {
        self.check_method(false)?;
        answer(&Query::read(&self.query, known)?)
    }

    /// Answers a POST that may have these names in its body.
    fn post(
        &self,
        known: &[&str],
        answer: impl FnOnce(&Query) -> Result<Reply, Refusal>,
    ) -> Result<Reply, Refusal> {
        self.check_method(true)?;
        if !self.is_json {
            return Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "a POST needs a JSON body and the header Content-Type: application/json",
            ));
        }
        Query::read(&self.query, &[])?;
        answer(&Query::of_body(&self.body, known)?)
    }

    fn check_method(&self, is_post: bool) -> Result<(), Refusal> {
        if self.is_post == is_post {
            return Ok(());
        }
        let method = if is_post { "POST" } else { "GET" };
        Err(Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            format!("{} is asked for by {method}", self.path),
        ))
    }
}
