//! The bytes of checkpoints, read and copied from one run to another.

use super::content::parse;
use super::{Checkpoint, npz_path, unread};
use crate::config::TrialConfig;
use crate::disk::{MOST_TEXT, read_own, sync_directory, write_new};
use crate::error::Error;
use crate::store::directory::RunDirectory;

/// The bytes of both parts of a run's checkpoint, the arrays first. Errors: as [`Checkpoint::of_run`].
pub fn read_parts(
    run: &RunDirectory,
    trial: &TrialConfig,
    seed: u64,
    epoch: u64,
) -> Result<[Vec<u8>; 2], Error> {
    let path = run.checkpoint(seed, epoch);
    let bad = |why: String| Error::input(format!("checkpoint {}: {why}", path.display()));
    let json = read_own(&path, MOST_TEXT).map_err(unread(&path))?;
    let (content, npz_crc32) = parse(&path, &json, Some(trial)).map_err(bad)?;
    let npz = npz_path(&path);
    let npz = read_own(&npz, u64::MAX).map_err(unread(&npz))?;
    let same = crc32fast::hash(&npz) == npz_crc32
        && (content.seed, content.progress.epoch) == (seed, epoch)
        && content.trial == *trial;
    if !same {
        // Its error says what is wrong.
        Checkpoint::of_run(run, trial, seed, epoch)?;
    }
    Ok([npz, json])
}

/// Copies all checkpoints of a seed from a run to a run with the same trials in a [`Staged`](crate::disk::Staged)
/// directory that has no checkpoints yet. Errors: as [`Checkpoint::of_run`], and [`Error::System`] if they cannot
/// be written.
pub fn copy_checkpoints(
    from: &RunDirectory,
    to: &RunDirectory,
    trial: &TrialConfig,
    seed: u64,
) -> Result<(), Error> {
    to.create_seed_directory(seed)?;
    for epoch in from.checkpoint_epochs(seed)? {
        let [npz, json] = read_parts(from, trial, seed, epoch)?;
        let path = to.checkpoint(seed, epoch);
        write_new(&npz_path(&path), &npz)?;
        write_new(&path, &json)?;
    }
    let directory = to.seed_directory(seed);
    sync_directory(&directory).map_err(Error::system("write", &directory))
}
