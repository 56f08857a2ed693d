//! Writing files such that a crash leaves either the old or the new content.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::directories::{parent, sync_directory};
use super::kind::{check_plain, is_plain};
use super::operation_log::{Operation, note};
use super::read::{MOST_RESULTS, read_own};
use super::temporary::is_temporary;
use super::unfinished::{begin, is_at, remove_unfinished, unfinished, written_by_another};
use crate::error::Error;
use crate::text::of_system;

/// Replaces a file that the user named, in one step: readers see either the old or the new
/// content, even after a crash. If the path is a link, its target is replaced; anything but a
/// plain file, such as a device or a pipe, is written to in place. Errors: [`Error::Input`] if it
/// is a broken link, [`Error::System`] if it cannot be written; the old content stays.
pub fn write_named(path: &Path, content: &[u8]) -> Result<(), Error> {
    let target = match fs::canonicalize(path) {
        Ok(target) => Some(target),
        // The target of /dev/stdout may exist without a name by which it could be replaced.
        Err(_) if path.exists() => None,
        Err(error) if path.is_symlink() => {
            return Err(Error::input(format!(
                "cannot write {}: it is a link that cannot be followed ({}); remove it, or make the file that it \
                 leads to",
                path.display(),
                of_system(&error)
            )));
        }
        Err(_) => Some(path.to_owned()),
    };
    let is_device =
        |target: &PathBuf| fs::metadata(target).is_ok_and(|kind| !kind.is_file() && !kind.is_dir());
    let written = match target.filter(|target| !is_device(target)) {
        Some(target) => replace(&target, content).map(drop),
        None => {
            let device = File::options().write(true).open(path);
            device.and_then(|mut device| device.write_all(content))
        }
    };
    written.map_err(Error::system("write", path))
}

/// As [`write_named`], but a plain file is replaced only if it is empty or begins like the content up to its first
/// `mark`, such as the end of a table's first line: any other may be a file that the user needs. Errors: as
/// [`write_named`], and [`Error::Input`] if such a file is there.
pub fn write_named_again(path: &Path, content: &[u8], mark: &[u8]) -> Result<(), Error> {
    let found = content.windows(mark.len()).position(|part| part == mark);
    let head = &content[..found.map_or(content.len(), |at| at + mark.len())];
    write_named_over(path, content, head.len(), |there| there == head)
}

/// As [`write_named_again`], but `is_alike` decides from the first `length` bytes of the existing file whether it is of
/// the same kind as the content and may be replaced. Errors: the same.
pub fn write_named_over(
    path: &Path,
    content: &[u8],
    length: usize,
    is_alike: impl Fn(&[u8]) -> bool,
) -> Result<(), Error> {
    let mut there = Vec::new();
    if path.is_file() {
        let file = File::open(path);
        file.and_then(|file| file.take(length as u64).read_to_end(&mut there))
            .map_err(Error::system("read", path))?;
    }
    if !there.is_empty() && !is_alike(&there) {
        return Err(Error::input(format!(
            "cannot write {}: another kind of file is there, which would be lost; give another name, or move that \
             file away",
            path.display()
        )));
    }
    write_named(path, content)
}

/// Replaces a file in a directory of the lab's own, in one step; a file that already has the
/// content stays. Errors: [`Error::Input`] if something other than a plain file stands there;
/// [`Error::System`] if it cannot be written. In either case, what is there stays.
pub fn write_own(path: &Path, content: &[u8]) -> Result<(), Error> {
    if is_plain(path) && read_own(path, content.len() as u64).is_ok_and(|there| there == content) {
        return File::open(path)
            .and_then(|file| sync(path, &file))
            .and_then(|()| sync_directory(parent(path)))
            .map_err(Error::system("write", path));
    }
    Appender::replace(path, content).map(drop)
}

/// Replaces a file in a directory of the lab's own, in one step, with what `write` writes to the writer passed to it,
/// so that the content need not be in memory as a whole. Returns the content's CRC-32. Errors: as [`write_own`].
pub fn write_own_by(
    path: &Path,
    mut write: impl FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<u32, Error> {
    check_plain(path)?;
    let (_, crc32) = replace_by(path, &mut write).map_err(Error::system("write", path))?;
    Ok(crc32)
}

/// Makes a file in a [`Staged`](super::Staged) directory, which is not read before it is complete. The file's name is
/// safe once its directory is [synced](sync_directory). Errors: [`Error::System`] if the name exists, or the file
/// cannot be written.
pub fn write_new(path: &Path, content: &[u8]) -> Result<(), Error> {
    let write = || {
        let mut file = File::options().write(true).create_new(true).open(path)?;
        note(|| Operation::Create(path.to_owned()));
        append(path, &mut file, content)?;
        sync(path, &file)
    };
    write().map_err(Error::system("write", path))
}

/// A growing file in a directory of the lab's own.
pub struct Appender {
    path: PathBuf,
    file: File,
}

impl Appender {
    /// Replaces the file in one step, and opens it for appending. Errors: as [`write_own`].
    pub fn replace(path: &Path, content: &[u8]) -> Result<Appender, Error> {
        check_plain(path)?;
        Ok(Appender {
            file: replace(path, content).map_err(Error::system("write", path))?,
            path: path.to_owned(),
        })
    }

    /// Opens the file for appending after this content. A file that begins with the content, or is a beginning of it,
    /// stays the same file, so that a program that has it open can read on; anything after the content is cut off. Any
    /// other file is replaced. Errors: as [`write_own`].
    pub fn resume(path: &Path, content: &[u8]) -> Result<Appender, Error> {
        let there = read_own(path, MOST_RESULTS).ok().filter(|_| is_plain(path));
        let is_same = |there: &Vec<u8>| there.starts_with(content) || content.starts_with(there);
        let Some(there) = there.filter(is_same) else {
            return Appender::replace(path, content);
        };
        remove_unfinished(path)?;
        let open = || {
            let mut file = File::options().append(true).open(path)?;
            if there.len() > content.len() {
                file.set_len(content.len() as u64)?;
                note(|| Operation::Cut(path.to_owned(), content.len()));
            }
            if let Some(rest) = content.get(there.len()..) {
                append(path, &mut file, rest)?;
            }
            sync(path, &file)?;
            sync_directory(parent(path))?;
            Ok(file)
        };
        Ok(Appender {
            file: open().map_err(Error::system("write", path))?,
            path: path.to_owned(),
        })
    }

    /// Opens a file of this length for appending, without waiting for the disk; `None` if no plain file of that length
    /// is there. Errors: [`Error::System`] if it cannot be opened.
    pub fn at_end(path: &Path, length: usize) -> Result<Option<Appender>, Error> {
        let kind = fs::symlink_metadata(path);
        if !kind.is_ok_and(|kind| kind.is_file() && kind.len() == length as u64) {
            return Ok(None);
        }
        let file = File::options().append(true).open(path);
        let file = file.map_err(Error::system("write", path))?;
        let path = path.to_owned();
        Ok(Some(Appender { path, file }))
    }

    /// Appends to the file. Errors: [`Error::System`] if it cannot be written.
    pub fn append(&mut self, content: &[u8]) -> Result<(), Error> {
        append(&self.path, &mut self.file, content).map_err(Error::system("write", &self.path))
    }

    /// The same file once more, so that one can be [synced](Self::sync) while the other is appended to. Errors:
    /// [`Error::System`] if the system refuses another handle.
    pub fn again(&self) -> Result<Appender, Error> {
        let file = self.file.try_clone();
        Ok(Appender {
            file: file.map_err(Error::system("write", &self.path))?,
            path: self.path.clone(),
        })
    }

    /// Waits until the content is safely on the disk. Errors: [`Error::System`] if the system cannot ensure that.
    pub fn sync(&self) -> Result<(), Error> {
        sync(&self.path, &self.file).map_err(Error::system("write", &self.path))
    }
}

/// Writes a file beside the target, and renames it to the target once its content is safely on the disk.
fn replace(target: &Path, content: &[u8]) -> io::Result<File> {
    let (file, _) = replace_by(target, &mut |file| file.write_all(content))?;
    Ok(file)
}

/// A file that is being written.
struct Growing<'a> {
    path: &'a Path,
    file: &'a mut File,
    crc32: crc32fast::Hasher,
}

impl Write for Growing<'_> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        append(self.path, self.file, content)?;
        self.crc32.update(content);
        Ok(content.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// As `replace`, but with what `write` writes to the writer passed to it. Also returns the content's CRC-32.
fn replace_by(
    target: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<(File, u32)> {
    // A file that may not be written to may not be replaced; the new file gets the old one's mode.
    let mode = match File::options().write(true).open(target) {
        Ok(old) => Some(old.metadata()?.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let path = unfinished(target);
    // It stays locked until its name is gone, or belongs to another file.
    let mut file = begin(&path)?;
    let all = || -> io::Result<u32> {
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        let mut growing = BufWriter::with_capacity(
            1 << 16,
            Growing {
                path: &path,
                file: &mut file,
                crc32: crc32fast::Hasher::new(),
            },
        );
        write(&mut growing)?;
        let Growing { crc32, .. } = growing.into_inner().map_err(|error| error.into_error())?;
        sync(&path, &file)?;
        // Without locks, another process may have begun its own file.
        if !is_at(&file, &path)? {
            return Err(written_by_another());
        }
        fs::rename(&path, target)?;
        Ok(crc32.finalize())
    };
    let crc32 = match all() {
        Ok(crc32) => crc32,
        Err(error) => {
            if is_at(&file, &path).unwrap_or(false) {
                drop(fs::remove_file(&path));
            }
            return Err(error);
        }
    };
    note(|| Operation::Rename(path, target.to_owned()));
    sync_directory(parent(target))?;
    Ok((file, crc32))
}

fn append(path: &Path, file: &mut File, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    note(|| Operation::Append(path.to_owned(), content.to_owned()));
    Ok(())
}

fn sync(path: &Path, file: &File) -> io::Result<()> {
    if is_temporary(path) {
        return Ok(());
    }
    file.sync_all()?;
    note(|| Operation::SyncFile(path.to_owned()));
    Ok(())
}

/// Removes a plain file; does nothing if there is none, or if it is something else. Errors:
/// [`Error::System`] if it cannot be removed.
pub fn remove(path: &Path) -> Result<(), Error> {
    if !is_plain(path) {
        return Ok(());
    }
    fs::remove_file(path).map_err(Error::system("remove", path))?;
    note(|| Operation::Remove(path.to_owned()));
    Ok(())
}
