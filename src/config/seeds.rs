//! The seeds of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MAX_SEEDS;

/// The seeds of a run: how many, or which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Seeds {
    /// 1, 2, 3 and so on, this many.
    Count(#[schemars(range(min = 1, max = MAX_SEEDS))] u64),
    /// These.
    #[schemars(extend("examples" = [[1, 2, 5]]))]
    List(Vec<u64>),
}

impl Default for Seeds {
    fn default() -> Self {
        Seeds::Count(1)
    }
}

impl Seeds {
    /// `count` consecutive seeds, starting at `first`.
    pub fn range(first: u64, count: u64) -> Seeds {
        if first == 1 {
            Seeds::Count(count)
        } else {
            Seeds::List((first..first + count).collect())
        }
    }

    /// The first seed and the number of seeds, if each is one more than the one before; `None` also for an empty list.
    pub fn as_range(&self) -> Option<(u64, u64)> {
        match self {
            Seeds::Count(count) => Some((1, *count)),
            Seeds::List(list) => {
                let is_next = |pair: &[u64]| pair[0].checked_add(1) == Some(pair[1]);
                let is_range = list.windows(2).all(is_next);
                let first = list.first().filter(|_| is_range)?;
                Some((*first, list.len() as u64))
            }
        }
    }

    /// Every seed, in the order in which they are trained.
    pub fn list(&self) -> Vec<u64> {
        match self {
            Seeds::Count(count) => (1..=*count).collect(),
            Seeds::List(list) => list.clone(),
        }
    }

    /// The number of seeds.
    pub fn count(&self) -> u64 {
        match self {
            Seeds::Count(count) => *count,
            Seeds::List(list) => list.len() as u64,
        }
    }
}
