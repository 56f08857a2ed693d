use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use super::recent::Recent;
use crate::agent::Stage;
use crate::game::GameInfo;
use crate::workflow::{RunList, stage_by_name};

/// After so many seconds a search is ended.
pub const SECONDS: u64 = 60;

/// How many searches may go on at the same time.
pub fn searches() -> usize {
    let cores = std::thread::available_parallelism();
    cores.map_or(2, NonZeroUsize::get).clamp(2, 8)
}

/// Games whose graphs are kept.
const STAGES: usize = 2;

/// What answers come from: the runs in a directory, and what was made ready for the last few of them.
pub struct Lab {
    pub(super) runs: Arc<RunList>,
    stages: Recent<&'static str, Stage>,
}

impl Lab {
    /// That of the runs in a directory, which need not be there yet.
    pub fn new(directory: PathBuf) -> Lab {
        Lab {
            runs: Arc::new(RunList::new(directory)),
            stages: Recent::new(STAGES),
        }
    }

    /// The stage of a game, on which runs have the names of the list.
    pub(super) fn stage(&self, game: &'static GameInfo) -> Arc<Stage> {
        let runs = Arc::clone(&self.runs);
        let find = move |name: &str| runs.find(name).map(|run| run.root);
        let make = || Ok::<_, Infallible>(Arc::new(stage_by_name(game, find)));
        match self.stages.get(game.name, make) {
            Ok(stage) => stage,
        }
    }
}
