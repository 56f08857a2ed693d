//! The columns of `training.csv`, in which learners report on themselves.

/// A column of a run's result files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the file.
    pub name: &'static str,
    /// What its numbers mean, in a few words for people.
    pub meaning: &'static str,
}

impl Column {
    const fn new(name: &'static str, meaning: &'static str) -> Column {
        Column { name, meaning }
    }
}

/// ε of the epoch's last episode.
pub const EPSILON: Column = Column::new("epsilon", "How often it tries a random move (epsilon)");

/// The softmax temperature of the epoch's last episode.
pub const TEMPERATURE: Column =
    Column::new("temperature", "How freely it tries moves (temperature)");

/// The root mean square error of the values that were updated so far, in units of the rewards; `truth.rs` defines
/// the true values.
pub const VALUE_ERROR: Column =
    Column::new("value_error", "How far its values are from the true ones");

/// The columns of learners that explore and update a table: how they explore, the mean step size and the mean
/// absolute TD error of the epoch's updates, the error of the values, the number of states with an updated
/// entry, and the number of updated entries. A search tree fills only the last two and leaves the others empty,
/// so that both kinds are read alike.
pub const COLUMNS: [Column; 7] = [
    EPSILON,
    TEMPERATURE,
    Column::new(
        "learning_rate",
        "How far a value moves to its target (mean step size)",
    ),
    Column::new(
        "mean_abs_td_error",
        "How much its values still change (mean size of an error)",
    ),
    VALUE_ERROR,
    Column::new("states_visited", "Positions learned about"),
    Column::new("entries_visited", "Table entries learned"),
];
