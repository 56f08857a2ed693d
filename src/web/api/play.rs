//! The endpoints for play: moves of agents, hints, solved positions, matches.

use std::cell::LazyCell;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::games::find;
use super::position::{self, of_move};
use crate::agent::{Agent, AgentSpec, Failure, Thought};
use crate::error::Error;
use crate::evaluate::{Analysis, MatchPlan, Seats};
use crate::game::Position;
use crate::search::{Limits, MinimaxMethod, Scoring, Stopped, solver_facts};
use crate::text::thousands;
use crate::web::lab::{Lab, TREE_MEMORY};
use crate::web::query::Query;
use crate::web::reply::{Events, Refusal, Reply, StreamKind};
use crate::workflow::{
    Hint, Line, Players, advise, check_reachable, exact_match, play_match, solve as solve_position,
    think as think_of, turn,
};

/// The requested position, which must not be the end of a game.
fn live(asked: &Query) -> Result<Line, Refusal> {
    let line = position::asked(asked)?;
    match line.position.outcome() {
        None => Ok(line),
        Some(_) => Err(Refusal::input(format!(
            "{}: the game is over, nothing is left to think about",
            line.position
        ))),
    }
}

fn seed(asked: &Query) -> Result<u64, Refusal> {
    let seed = asked.parsed("seed", "a whole number from 0 to 2^64 - 1")?;
    Ok(seed.unwrap_or(1))
}

/// The most bytes of a spec.
const LONGEST: usize = 1024;

/// Reads the spec of an agent, whose trees may take less memory than elsewhere, unless the spec says how much.
pub fn spec(lab: &Lab, text: &str) -> Result<AgentSpec, Refusal> {
    if text.len() > LONGEST {
        let why = format!("the agent's name is too long, expected at most {LONGEST} bytes");
        return Err(Refusal::input(why));
    }
    let runs = LazyCell::new(|| lab.runs.runs().unwrap_or_default());
    let spec = match text.strip_prefix("run:") {
        Some(run) => AgentSpec::of_run(run, &|name| runs.iter().any(|known| known.name == name)),
        None => text.parse(),
    };
    let spec = spec.map_err(Refusal::input)?;
    if !lab.allows(&spec) {
        return Err(Refusal::input(format!(
            "'{spec}' reads a file or starts a program: here only agents named when the server was started (lab \
             serve --agent SPEC) may do so"
        )));
    }
    if spec.memory().is_none_or(|memory| memory <= TREE_MEMORY) {
        return Ok(spec);
    }
    if spec.options().any(|(option, _)| option == "memory") {
        return Err(Refusal::input(format!(
            "agent '{spec}': option 'memory': a tree may take at most {TREE_MEMORY} MiB here, expected no more"
        )));
    }
    let memory = toml::Value::Integer(TREE_MEMORY as i64);
    let less = AgentSpec::with_option(text, "memory", &memory).unwrap_or_default();
    let less: AgentSpec = less.parse().map_err(Refusal::input)?;
    Ok(less.named(text))
}

/// Does some work in its own thread, and meanwhile looks at its progress again and again. The work is boxed, so that
/// this is compiled only once.
fn meanwhile(work: Box<dyn FnOnce() + Send + '_>, look: &mut dyn FnMut()) {
    thread::scope(|scope| {
        let working = scope.spawn(work);
        while !working.is_finished() {
            look();
        }
        working.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Does some work, and meanwhile reports its progress. Returns its result, and the number of positions
/// visited.
fn worked<T: Send>(events: &Events, work: impl FnOnce(&Limits) -> T + Send) -> (T, u64) {
    const PAUSE: Duration = Duration::from_millis(5);
    const BETWEEN: u32 = 40;
    let done = AtomicU64::new(0);
    let looked_at = || done.load(Ordering::Relaxed);
    let limits = Limits {
        progress: Some(&done),
        ..Limits::until(events.stop())
    };
    let mut looks: u32 = 0;
    let mut look = || {
        thread::sleep(PAUSE);
        looks += 1;
        if looks.is_multiple_of(BETWEEN) {
            let progress = json!({ "done": looked_at(), "seconds": events.seconds() });
            events.send("progress", &progress);
        }
    };
    let mut found = None;
    meanwhile(Box::new(|| found = Some(work(&limits))), &mut look);
    (found.expect("the work is done"), looked_at())
}

/// The refusal for an agent's failure.
fn failed(failure: Failure) -> Refusal {
    Refusal::input(match failure {
        Failure::Stopped(Stopped) => {
            "it was stopped before it came to a move; give it less to search".to_owned()
        }
        Failure::Resigns => "it resigns, and has lost this game".to_owned(),
        Failure::Forfeit(why) => format!("it has lost this game: {why}"),
        Failure::Unable(why) => format!("it cannot play: {why}"),
        failure => failure.to_string(),
    })
}

fn thoughts_json(
    position: Position,
    spec: &AgentSpec,
    agent: &dyn Agent,
    thoughts: &[Thought],
) -> Value {
    let move_json = |thought: &Thought| of_move(position, thought.mv, json!(thought));
    json!({
        "text": position.to_string(),
        "agent": spec,
        "numbers": agent.numbers(),
        "moves": thoughts.iter().map(move_json).collect::<Vec<_>>(),
    })
}

/// Lets an agent move.
pub fn make_move(lab: &Arc<Lab>, asked: &Query) -> Result<Reply, Refusal> {
    let (line, seed) = (live(asked)?, seed(asked)?);
    let (spec, lab) = (spec(lab, asked.need("agent")?)?, Arc::clone(lab));
    Reply::stream(StreamKind::Move, move |events| {
        let agent = lab.agent(line.position.game(), &spec)?;
        let (found, _) = worked(events, |limits| turn(&agent, &line, seed, limits));
        let found = found.map_err(failed)?;
        let position = line.position;
        let caution = agent.caution(&[position.to_move()]);
        events.send(
            "move",
            &json!({
                "move": position.format_move(found.mv),
                "position": line.and(found.mv).describe(),
                "thoughts": thoughts_json(position, &spec, &*agent, &found.thoughts),
                "seconds": events.seconds(),
                "caution": caution,
            }),
        );
        Ok(())
    })
}

/// Asks an agent what it thinks.
pub fn think(lab: &Arc<Lab>, asked: &Query) -> Result<Reply, Refusal> {
    let (line, seed) = (live(asked)?, seed(asked)?);
    let (spec, lab) = (spec(lab, asked.need("agent")?)?, Arc::clone(lab));
    Reply::stream(StreamKind::Search, move |events| {
        let agent = lab.agent(line.position.game(), &spec)?;
        let (found, _) = worked(events, |limits| think_of(&agent, &line, seed, limits));
        let found = found.map_err(failed)?;
        events.send(
            "thoughts",
            &thoughts_json(line.position, &spec, &*agent, &found),
        );
        Ok(())
    })
}

fn exact(position: Position, found: &Analysis) -> Value {
    let moves = found.moves.iter().map(|found| {
        let mut value = of_move(position, found.mv, json!(found));
        value["optimal"] = json!(found.optimal);
        value
    });
    json!({
        "kind": "exact",
        "value": found.value,
        "score": found.score,
        "distance": found.distance,
        "score_meaning": solver_facts(position.game(), Scoring::Raw).score_meaning,
        "moves": moves.collect::<Vec<_>>(),
    })
}

/// What is known about a position, deeper and deeper.
pub fn hints(lab: &Lab, asked: &Query) -> Result<Reply, Refusal> {
    let position = live(asked)?.position;
    let stage = lab.stage(position.game());
    Reply::stream(StreamKind::Search, move |events| {
        advise(&stage, position, events.stop(), &mut |hint| {
            let value = match hint {
                Hint::Exact(found) => exact(position, &found),
                Hint::Estimate {
                    simulations,
                    moves,
                    best,
                } => {
                    let move_json = |thought: &Thought| {
                        let said = json!({
                            "rate": thought.value,
                            "visits": thought.visits,
                            "best": best.contains(thought.mv),
                        });
                        of_move(position, thought.mv, said)
                    };
                    json!({
                        "kind": "estimate",
                        "simulations": simulations,
                        "moves": moves.iter().map(move_json).collect::<Vec<_>>(),
                    })
                }
            };
            events.send("hint", &value)
        });
        events.send("done", &json!({}));
        Ok(())
    })
}

/// Solves a position.
pub fn solve(lab: &Lab, asked: &Query) -> Result<Reply, Refusal> {
    let position = live(asked)?.position;
    let stage = lab.stage(position.game());
    Reply::stream(StreamKind::Search, move |events| {
        check_reachable(&stage, position)?;
        let (method, scoring) = (MinimaxMethod::Solver, Scoring::Raw);
        let (found, looked_at) = worked(events, |limits| {
            solve_position(&stage, position, method, scoring, limits)
        });
        match found {
            Ok(found) if found.complete => {
                let analysis = Analysis {
                    value: found.value,
                    score: found.score,
                    distance: found.distance,
                    moves: found.moves.iter().map(|mv| mv.found).collect(),
                };
                let mut solution = exact(position, &analysis);
                solution["text"] = json!(found.position);
                solution["line"] = json!(found.line);
                solution["nodes"] = json!(found.cost.nodes);
                solution["seconds"] = json!(events.seconds());
                events.send("solved", &solution);
            }
            found => {
                let nodes = found.map_or(looked_at, |found| found.cost.nodes);
                let effort = json!({ "nodes": nodes, "seconds": events.seconds() });
                events.send("unsolved", &effort);
            }
        }
        Ok(())
    })
}

/// The most games in a match.
const GAMES: u64 = 10_000;

/// Lets two agents play.
pub fn play(lab: &Arc<Lab>, asked: &Query) -> Result<Reply, Refusal> {
    let given = asked.need("games")?;
    let games = given.parse::<u64>().ok().filter(|games| *games <= GAMES);
    let games = games.ok_or_else(|| {
        let most = thousands(GAMES);
        Refusal::input(format!(
            "games: expected a whole number from 0 to {most}, got '{given}'"
        ))
    })?;
    let (game, seed) = (find(asked.need("game")?)?, seed(asked)?);
    let specs = [spec(lab, asked.need("a")?)?, spec(lab, asked.need("b")?)?];
    let stage = lab.stage(game);
    let lab = Arc::clone(lab);
    Reply::stream(StreamKind::Search, move |events| {
        let players = Players::on(stage, &specs, |spec| lab.agent(game, spec))?;
        let plan = MatchPlan {
            games,
            seats: Seats::Alternate,
            seed,
        };
        let played = AtomicU64::new(0);
        let count = || {
            played.fetch_add(1, Ordering::Relaxed);
        };
        let play = || play_match(&players, plan, NonZeroUsize::MIN, events.stop(), &count);
        let mut look = || {
            let done = played.load(Ordering::Relaxed);
            events.send("progress", &json!({ "done": done, "games": games }));
            thread::sleep(Duration::from_millis(if done < 20 { 20 } else { 150 }));
        };
        let mut result = None;
        if games > 0 {
            meanwhile(Box::new(|| result = Some(play())), &mut look);
        }
        let result = result.transpose()?;
        let limits = Limits::until(events.stop());
        // The games come first: on large graphs or for deep searches the exact result takes long.
        let exact = exact_match(&players, Seats::Alternate, &limits);
        if games == 0
            && let Err(error) = exact
        {
            return Err(match error {
                Error::Failed(why) => Refusal::input(why),
                error => error.into(),
            });
        }
        let not_exact = exact.as_ref().err().map(|error| match error {
            Error::Failed(_) => "The exact result was not computed: time was up.".to_owned(),
            error => format!("There is no exact result: {error}."),
        });
        let complete = result
            .as_ref()
            .is_none_or(|result| result.total.games == Some(games));
        events.send(
            "result",
            &json!({
                "played": result,
                "exact": exact.ok(),
                "not_exact": not_exact,
                "games": games,
                "complete": complete,
                "cautions": players.cautions(Seats::Alternate),
            }),
        );
        Ok(())
    })
}
