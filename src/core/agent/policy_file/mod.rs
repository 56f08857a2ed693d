//! `policy:FILE`: what another program plays, by a table of its moves in all positions.

mod read;
mod table;

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::read::{is_of, read};
use super::policy_agent::PolicyAgent;
use super::spec::{Kind, SpecForm, SpecSubject};
use super::{Agent, Stage, options};
use crate::disk::{MOST_RESULTS, read_own};
use crate::error::{Error, all_within};
use crate::game::{GameInfo, Side};
use crate::graph::GameGraph;
use crate::text::out_of;

/// The form of its spec.
pub const FORM: SpecForm = SpecForm {
    names: &["policy"],
    examples: &["policy:FILE"],
    plays: "By a table of moves that another program or lab export wrote, a .csv or .npz file with a probability or a \
            value for every move of every position, or with the moves alone; see lab positions. Values are played \
            greedily, or with a temperature above 0 by softmax. A missing position is an error, unless \
            missing=random is given or every position of its side is missing. With crc32 set, the file must have that checksum.",
    subject: Some(SpecSubject::File),
    options: options::defaults::<PolicyFile>,
    menu: &[],
    opponent: None,
    read: |_, rest| {
        let file = PolicyFile::read(rest.unwrap_or_default())?;
        Ok(Arc::new(file))
    },
};

/// Which file, and what its numbers mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyFile {
    /// Where it is.
    #[serde(skip)]
    pub path: String,
    /// What is played where a position is missing.
    pub missing: Missing,
    /// The temperature of softmax over values, at least 0: 0 for the moves of the highest value alone, all
    /// with the same probability.
    #[schemars(range(min = 0.0, max = MOST_TEMPERATURE))]
    pub temperature: f64,
    /// The CRC-32 of the file, if a specific file is required; 0 for any.
    pub crc32: u32,
}

/// What is played where a position is missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// Nothing: the file cannot be used.
    #[default]
    Error,
    /// Any legal move, all with the same probability.
    Random,
    /// The same, by the name of the distribution.
    Uniform,
}

const MOST_TEMPERATURE: f64 = 1e6;

impl PolicyFile {
    fn read(rest: &str) -> Result<PolicyFile, String> {
        let (path, rest) = options::path(rest, &options::is_on_disk);
        if path.is_empty() {
            return Err("no file, expected one such as policy:moves.csv".to_owned());
        }
        let mut options: PolicyFile = options::parse(rest)?;
        path.clone_into(&mut options.path);
        // Two words for one thing: specs that differ in them alone are equal.
        if options.missing == Missing::Uniform {
            options.missing = Missing::Random;
        }
        all_within([("temperature", options.temperature, 0.0, MOST_TEMPERATURE)])
            .map_err(options::wrong)?;
        Ok(options)
    }

    fn bytes(&self) -> Result<Vec<u8>, Error> {
        let path = Path::new(&self.path);
        let bad = |why: String| Error::input(format!("cannot read {}: {why}", self.path));
        // It is read more than once, which a pipe cannot be.
        read_own(path, MOST_RESULTS).map_err(Error::reading("read", path, bad))
    }

    /// A sentence about how a side is played without these positions. Errors: that it may not be.
    fn caution(
        &self,
        graph: &GameGraph,
        side: Side,
        missing: &[usize],
    ) -> Result<Option<String>, Error> {
        let Some(&first) = missing.first() else {
            return Ok(None);
        };
        let (path, letter) = (&self.path, side.letter());
        let all = graph.decisions(side).count();
        if missing.len() == all {
            return Ok(Some(format!(
                "{path} has no positions with {letter} to move; there it plays a random legal move"
            )));
        }
        let of = out_of(missing.len(), all);
        match self.missing {
            Missing::Error => Err(Error::input(format!(
                "{path} lacks {of} positions with {letter} to move, the first of them {}; with \
                 missing=random (with --policy: --missing random) a random legal move is played there",
                graph.format_position(first)
            ))),
            Missing::Random | Missing::Uniform => Ok(Some(format!(
                "{path} lacks {of} positions with {letter} to move; there it plays a random legal move"
            ))),
        }
    }
}

impl Kind for PolicyFile {
    fn text(&self) -> String {
        options::spec("policy", Some(&self.path), self)
    }

    fn check(&self, game: &'static GameInfo) -> Result<(), String> {
        match game.listed {
            true => Ok(()),
            false => Err(format!(
                "the positions of {} are not listed, so that no file has them all; lab games tells of \
                 which games they are",
                game.name
            )),
        }
    }

    fn reaches_out(&self) -> bool {
        true
    }

    fn check_there(&self) -> Result<(), Error> {
        self.bytes().map(drop)
    }

    fn is_of(&self, game: &'static GameInfo) -> bool {
        self.bytes().is_ok_and(|bytes| is_of(&bytes, game))
    }

    fn needs_all_positions(&self) -> bool {
        self.missing == Missing::Error
    }

    fn pinned(&self) -> Result<Option<String>, Error> {
        if self.crc32 != 0 {
            return Ok(None);
        }
        let pinned = PolicyFile {
            crc32: crc32fast::hash(&self.bytes()?),
            ..self.clone()
        };
        Ok(Some(pinned.text()))
    }

    fn ready(&self, stage: &Stage) -> Result<Arc<dyn Agent>, Error> {
        let bytes = self.bytes()?;
        let crc32 = crc32fast::hash(&bytes);
        if ![0, crc32].contains(&self.crc32) {
            return Err(Error::input(format!(
                "{} has the CRC-32 {crc32}, not {}: it is another file than the one meant; restore that, or \
                 leave crc32 out, unless a run was made with it",
                self.path, self.crc32
            )));
        }
        let solved = stage.solved()?;
        let with_path = |why: String| Error::input(format!("{}: {why}", self.path));
        let graph = &solved.graph;
        let table = read(&bytes, graph).map_err(with_path)?;
        let (policy, missing) = table.policy(graph, self.temperature).map_err(with_path)?;
        let mut cautions = [None, None];
        for side in Side::BOTH {
            cautions[side.index()] = self.caution(graph, side, &missing[side.index()])?;
        }
        let has_moves = |side: Side| missing[side.index()].len() < graph.decisions(side).count();
        let sides: &[Side] = match Side::BOTH.map(has_moves) {
            [true, false] => &[Side::X],
            [false, true] => &[Side::O],
            _ => &Side::BOTH,
        };
        let mut agent = PolicyAgent::new(solved, policy, None);
        (agent.sides, agent.cautions) = (sides, cautions);
        Ok(Arc::new(agent))
    }
}
