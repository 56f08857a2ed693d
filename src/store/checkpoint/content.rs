//! The JSON part of a checkpoint, as it is written and read.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::remedy;
use crate::config::{MAX_EPISODES, TrialConfig};
use crate::rng::LabRng;
use crate::train::Progress;

/// The version of the checkpoint format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 2;

/// The content of a checkpoint's JSON part: the learner at the end of an epoch, except for what it
/// learned. The history of its run is in the run's result files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content<Trial = TrialConfig> {
    /// What determines the trial's results. While a file is being read, this is its JSON.
    pub trial: Trial,
    /// The seed.
    pub seed: u64,
    /// Episodes of training so far.
    pub episodes: u64,
    /// How far the trial has got.
    pub progress: Progress,
    /// State of the stream of random numbers for training.
    pub rng: LabRng,
}

impl Content {
    /// The JSON part of a checkpoint whose arrays have this CRC-32.
    pub(super) fn to_json(&self, npz_crc32: u32) -> Vec<u8> {
        let content = serde_json::value::to_raw_value(self).expect("a checkpoint is JSON");
        let envelope = Envelope {
            format_version: FORMAT_VERSION,
            npz_crc32,
            content_crc32: crc32fast::hash(content.get().as_bytes()),
            content,
        };
        let mut json = serde_json::to_vec(&envelope).expect("a checkpoint is JSON");
        json.push(b'\n');
        json
    }

    /// Whether its numbers are consistent, so that a trial can go on from them.
    fn is_sound(&self) -> bool {
        let Progress {
            epoch,
            unbeatable_epochs,
            best,
            ..
        } = self.progress;
        let measured = self.progress.measured();
        let best = best.map_or(0, |best| best.epoch);
        let most = epoch.checked_mul(self.trial.config().episodes_per_epoch());
        epoch <= MAX_EPISODES
            && most.is_some_and(|most| self.episodes <= most.min(MAX_EPISODES))
            && unbeatable_epochs <= measured
            && best <= measured
            && (best == 0) == (measured == 0)
    }
}

/// The JSON file: the content, and checksums for it and the arrays.
#[derive(Serialize, Deserialize)]
struct Envelope {
    format_version: u32,
    npz_crc32: u32,
    content_crc32: u32,
    /// A [`Content`], kept as text so that its CRC covers every byte.
    content: Box<RawValue>,
}

/// The field that every version of the format has.
#[derive(Deserialize)]
struct AnyVersion {
    format_version: u32,
}

/// Reads a checkpoint's JSON part: its content, and the CRC of the arrays. If it belongs to `trial`,
/// its config need not be parsed and checked again, which takes long. Errors: why it cannot be trusted.
pub(super) fn parse(
    path: &Path,
    json: &[u8],
    trial: Option<&TrialConfig>,
) -> Result<(Content, u32), String> {
    let cut = |error| format!("is not a whole checkpoint ({error}); {}", remedy(path));
    let any: AnyVersion = serde_json::from_slice(json).map_err(cut)?;
    if any.format_version != FORMAT_VERSION {
        let age = match any.format_version < FORMAT_VERSION {
            true => "older",
            false => "newer",
        };
        return Err(format!(
            "has format version {}, which is {age}: this program reads version {FORMAT_VERSION}; \
             use the program version in the run's manifest.json, or train again",
            any.format_version
        ));
    }
    let envelope: Envelope = serde_json::from_slice(json).map_err(cut)?;
    if crc32fast::hash(envelope.content.get().as_bytes()) != envelope.content_crc32 {
        return Err(format!(
            "was altered: its CRC does not match; {}",
            remedy(path)
        ));
    }
    let written: Content<&RawValue> = serde_json::from_str(envelope.content.get()).map_err(cut)?;
    let content = Content {
        trial: match trial.filter(|trial| trial.json() == written.trial.get()) {
            Some(trial) => trial.clone(),
            None => serde_json::from_str(written.trial.get()).map_err(cut)?,
        },
        seed: written.seed,
        episodes: written.episodes,
        progress: written.progress,
        rng: written.rng,
    };
    match content.is_sound() {
        true => Ok((content, envelope.npz_crc32)),
        false => Err(format!("contradicts itself; {}", remedy(path))),
    }
}
