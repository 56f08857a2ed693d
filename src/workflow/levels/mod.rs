//! What agents of levels play by: checkpoints that are part of the program, each byte for byte the last
//! one that `lab train` writes by the config of its name in `configs/levels/`.

use crate::agent::Stage;
use crate::error::Error;
use crate::search::{Learned, Limits};
use crate::store::Checkpoint;
use crate::train::Experiment;

/// Both parts of a game's checkpoint.
struct Shipped {
    game: &'static str,
    json: &'static [u8],
    npz: &'static [u8],
}

static SHIPPED: [Shipped; 2] = [
    Shipped {
        game: "connect-four",
        json: include_bytes!("connect_four.json"),
        npz: include_bytes!("connect_four.npz"),
    },
    Shipped {
        game: "othello",
        json: include_bytes!("othello.json"),
        npz: include_bytes!("othello.npz"),
    },
];

/// The values that come with the program for the stage's game. Errors: [`Error`] if there are none.
pub(super) fn shipped(stage: &Stage) -> Result<Learned, Error> {
    let game = stage.game().name;
    let shipped = SHIPPED.iter().find(|shipped| shipped.game == game);
    let none = || Error::input(format!("no values of {game} come with the program"));
    let Shipped { json, npz, .. } = shipped.ok_or_else(none)?;
    let checkpoint = Checkpoint::built_in(game, json, npz)?;
    let config = checkpoint.content.trial.config().clone();
    let experiment = Experiment::to_look_at(config, stage, &Limits::NONE, &|_| false)?;
    let learner = checkpoint.restore(&experiment.setup)?.learner;
    learner.values().ok_or_else(none)
}
