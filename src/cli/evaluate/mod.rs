//! `lab evaluate`.

mod text;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use playlab::Error;
use playlab::agent::{AgentSpec, Kind, Missing, PolicyFile};
use playlab::config::Sides;
use playlab::game::GameInfo;
use playlab::text::{count, out_of, shell_word, thousands};
use playlab::workflow::{EvaluationPlan, EvaluationProgress, EvaluationSubject, Pace, evaluate};

use self::text::text;
use super::interrupts::{ENDING, interrupted, is_interrupted, until_interrupted};
use super::known::{agent, game, named, sides};
use super::matches::report_cautions;
use super::output::show;
use super::progress::{LINE_PAUSE, say, spinner, threads};
use super::shard::ShardArgument;
use super::target::{CheckpointArguments, Word, game_and_agents};
use super::whole::whole;

/// Measure how strong a run's checkpoints, an agent or another program's policy are
///
/// Evaluates one checkpoint, one checkpoint of each seed, an agent as it plays (--agent), or a policy that a file
/// gives for all positions (--policy): CSV with the columns position, move, and probability or value, or
/// the first two alone, for moves of the same probability; or NPZ with the arrays key, and probability or value; lab positions writes the positions and the keys. Where
/// positions are listed, rates are computed, not sampled, if the probabilities of the agent's moves are known;
/// --games asks for games as well. The verdict covers every opponent there can be: "unbeatable" is proven over
/// every position that the agent can meet, "beatable" comes with the line that beats it. On a
/// game whose positions are not listed there is no verdict, and rates are counted in games, except against
/// perfect opponents, where they are computed if possible. In some games it also
/// shows how good the moves are in solved positions. For several seeds, a table of the means over them follows.
#[derive(Args)]
#[command(group = ArgGroup::new("subject").args(["target", "agent", "policy"]).required(true).multiple(true),
          mut_arg("target", |target| target.required(false).value_name("RUN|CHECKPOINT|GAME")
              .help("A run directory, or the .json or .npz of a checkpoint; with --agent or --policy the game")),
          mut_arg("selection", |selection| selection.conflicts_with_all(["agent", "policy"])))]
#[command(override_usage = "\
lab evaluate [OPTIONS] <RUN|CHECKPOINT>
       lab evaluate [OPTIONS] [GAME] --agent <SPEC>
       lab evaluate [OPTIONS] <GAME> --policy <FILE>")]
#[command(after_help = "\
Examples:
  lab evaluate runs/qtable_o-1
  lab evaluate runs/qtable_o-1 --checkpoint last --against minimax:first --json
  lab evaluate runs/qtable_o-1/checkpoints/seed-0001/epoch-000020.json --games 10000
  lab evaluate runs/td_connect_four-1 --against minimax --openings 8
  lab evaluate --agent run:runs/qtable_o-1,epsilon=0.1 --side o
  lab evaluate connect-four-4x4 --agent alpha-beta:depth=2
  lab evaluate tic-tac-toe --policy policy.csv --side x
  lab evaluate runs/td_connect_four-1 --games 10000 --shard 0/6 --json > part-0.json")]
pub struct Evaluate {
    #[command(flatten)]
    checkpoints: Option<CheckpointArguments>,

    /// An agent in place of a checkpoint, such as run:RUN,depth=2
    #[arg(long, value_name = "SPEC", conflicts_with = "policy", value_parser = agent(), hide_possible_values = true)]
    agent: Option<AgentSpec>,

    /// A policy in place of a checkpoint: a file with the moves of all positions
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// The game of the agent or the policy, if it does not come first [default: the one that an agent of a
    /// run learned]
    #[arg(long, value_name = "GAME", value_parser = game(), hide_possible_values = true)]
    game: Option<&'static GameInfo>,

    /// The side that the agent or the policy plays: x, o or both [default: those that it learned]
    #[arg(long, value_name = "SIDE", value_parser = sides(), hide_possible_values = true)]
    side: Option<Sides>,

    /// What to do where a position is missing: error to refuse the file, random (or uniform) to play any
    /// legal move
    /// [default: error]
    #[arg(long, value_name = "WHAT", requires = "policy", conflicts_with = "agent",
          value_parser = named::<Missing>(), hide_possible_values = true)]
    missing: Option<Missing>,

    /// Play the policy's values by softmax of this temperature; 0 for the highest value alone
    #[arg(
        long,
        value_name = "T",
        requires = "policy",
        conflicts_with = "agent",
        default_value_t = 0.0
    )]
    temperature: f64,

    /// An opponent, instead of those of the config; may be given several times
    #[arg(long, value_name = "SPEC", value_parser = agent(), hide_possible_values = true)]
    against: Vec<AgentSpec>,

    /// Also play this many games against each opponent. Where nothing can be computed, because positions are not
    /// listed or the probabilities of an agent's moves are unknown, games are played anyway; 0 then means as many
    /// as in training, and 1,000 for an agent
    #[arg(long, value_name = "N", default_value_t = 0)]
    games: u64,

    /// The seed of these games, 1 unless it is given; openings and endgames are the same with every seed. They never
    /// repeat the training games. To evaluate one seed of a run, give --agent run:RUN,seed=N
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Also compute games against perfect play from the openings won for the agent among 40 random
    /// ones of PLIES plies, where an opponent is minimax; in Connect Four 8 plies take minutes, 16 plies take seconds.
    /// 0 for none [default: as the config asks]
    #[arg(long, value_name = "PLIES", value_parser = whole::<u32>(0..=u64::MAX))]
    openings: Option<u32>,

    /// Also play 40 endgames of Othello with this many empty squares (1 to 24) against perfect play, and show
    /// how many discs are lost; 20 takes about half a minute for each side. 0 for none [default: as the config
    /// asks]
    #[arg(long, value_name = "EMPTIES", value_parser = whole::<u32>(0..=u64::MAX))]
    endgames: Option<u32>,

    /// Games to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Evaluate one of N shards, I from 0: the checkpoints whose number is I modulo N; or auto, as for
    /// `lab train`. `lab merge` makes one evaluation from the JSON of all shards
    #[arg(long, value_name = "I/N", allow_hyphen_values = true, requires = "json", conflicts_with_all = ["agent", "policy"])]
    shard: Option<ShardArgument>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Evaluate {
    /// Evaluates and prints; exit code 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let agent = self.agent()?;
        let shard = self.shard.map(ShardArgument::resolve).transpose()?;
        let (subject, selection, name) = match &agent {
            None => {
                let checkpoints = self.checkpoints.as_ref();
                let checkpoints = checkpoints.expect("one of the group is required");
                let (target, selection) = (&checkpoints.target, checkpoints.selection()?);
                let subject = EvaluationSubject::Checkpoints { target, selection };
                let of_run = target.is_dir().then_some(selection);
                (subject, of_run, target.display().to_string())
            }
            Some((game, spec)) => {
                let (game, side) = (*game, self.side);
                let subject = EvaluationSubject::Agent { game, spec, side };
                (subject, None, spec.to_string())
            }
        };
        let bar = spinner(format!("evaluating {name}"));
        let lines = Pace::new(LINE_PAUSE);
        let on_progress = |at: EvaluationProgress| say(&bar, &lines, how_far(&name, at));
        let evaluation = until_interrupted(&bar, ENDING, |stop| {
            let threads = threads(self.threads);
            let plan = EvaluationPlan {
                against: &self.against,
                games: self.games,
                seed: self.seed,
                openings: self.openings,
                endgames: self.endgames,
                shard,
            };
            evaluate(&subject, &plan, threads, stop, &on_progress)
        });
        let evaluation = match evaluation {
            Err(_) if is_interrupted() => return Ok(interrupted("interrupted")),
            evaluation => evaluation?,
        };
        report_cautions(&evaluation.cautions);
        let is_finished = evaluation.is_finished();
        // In JSON a part would look complete.
        if is_finished || !(self.json || evaluation.results.is_empty()) {
            show(self.json, &evaluation, || {
                text(&evaluation, selection, &name)
            })?;
        }
        if is_finished {
            return Ok(ExitCode::SUCCESS);
        }
        let all = count(evaluation.of as u64, "checkpoint");
        Ok(interrupted(&match evaluation.evaluated {
            0 => "interrupted".to_owned(),
            done => format!("interrupted after {} of {all}", thousands(done as u64)),
        }))
    }

    /// The agent, perhaps one that plays by a file, and its game, if they are evaluated in place of a checkpoint.
    fn agent(&self) -> Result<Option<(&'static GameInfo, AgentSpec)>, Error> {
        let spec = match (&self.agent, &self.policy) {
            (Some(spec), _) => spec.clone(),
            (None, Some(path)) => {
                let file = PolicyFile {
                    path: path.display().to_string(),
                    missing: self.missing.unwrap_or_default(),
                    temperature: self.temperature,
                    ..PolicyFile::default()
                };
                file.text().parse().map_err(Error::input)?
            }
            (None, None) if self.game.is_none() && self.side.is_none() => {
                let target = self.checkpoints.as_ref().map(|of| &of.target);
                return match target.and_then(|target| other_subject(target)) {
                    Some(message) => Err(Error::input(message)),
                    None => Ok(None),
                };
            }
            (None, None) => {
                let option = self.game.map_or("--side", |_| "--game");
                return Err(Error::input(format!(
                    "{option} is for --agent and --policy; a run knows its game and its sides"
                )));
            }
        };
        let mut words = vec![Word::Agent(spec.clone())];
        if let Some(CheckpointArguments { target, .. }) = &self.checkpoints {
            let game = GameInfo::find(&target.to_string_lossy()).map_err(|error| {
                let what = "the word given with --agent or --policy names the game";
                Error::input(format!("{what}: {error}"))
            })?;
            words.push(Word::Game(game));
        }
        let (game, _) = game_and_agents(&words, self.game)?;
        Ok(Some((game, spec)))
    }
}

/// What to write instead, if the target is a game, an agent or a policy.
fn other_subject(target: &Path) -> Option<String> {
    let word = target.to_string_lossy();
    let file = shell_word(target);
    if target.extension().is_some_and(|name| name == "csv") {
        return Some(format!(
            "{word} is not a checkpoint; a policy is evaluated by lab evaluate GAME --policy {file}"
        ));
    }
    if target.exists() {
        return None;
    }
    if GameInfo::find(&word).is_ok() {
        return Some(format!(
            "{word} is a game: name who plays it by --agent SPEC or --policy FILE"
        ));
    }
    let agent = word.parse::<AgentSpec>().ok()?;
    // Problems with a run are reported when it is read.
    let is_run = agent.run().is_some();
    (!is_run).then(|| format!("{word} is an agent; lab evaluate GAME --agent {file} evaluates it"))
}

/// The progress of an evaluation.
fn how_far(name: &str, at: EvaluationProgress) -> String {
    let checkpoint = (at.of > 1).then(|| format!("checkpoint {}", out_of(at.evaluated + 1, at.of)));
    let part = at
        .part
        .map(|(what, done, all)| format!("{what} {} of {all}", done + 1));
    let where_it_is: Vec<String> = checkpoint.into_iter().chain(part).collect();
    match where_it_is.is_empty() {
        true => format!("evaluating {name}"),
        false => format!("evaluating {name}: {}", where_it_is.join(", ")),
    }
}
