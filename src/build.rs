//! Passes its commit to the program, and links it smaller on Linux: a release build ends at a panic and
//! has no use for the tables that would unwind it, and the addresses to be set at its start are packed.

use std::env::{self, var};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_PROFILE_RELEASE_PANIC");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    if let Some(commit) = commit() {
        println!("cargo::rustc-env=LAB_COMMIT={commit}");
    }
    if !linked_as_usual()? {
        return Ok(());
    }
    let script = Path::new(&var("OUT_DIR")?).join("no_unwinding.ld");
    fs::write(
        &script,
        "SECTIONS { /DISCARD/ : { *(.eh_frame) } } INSERT AFTER .text;\n",
    )?;
    println!("cargo::rustc-link-arg-bin=lab=-T{}", script.display());
    if reads_packed_addresses() {
        println!("cargo::rustc-link-arg-bin=lab=-Wl,-z,pack-relative-relocs");
    }
    Ok(())
}

/// The commit of the source tree, if it is a git repository. Another commit is a reason to build again; nothing else
/// in the repository is.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let output = command.arg("rev-parse").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then_some(text)
    };
    let text = git(&["--show-prefix", "HEAD", "--symbolic-full-name", "HEAD"])?;
    // In a subdirectory of another repository the first line is its path there.
    let lines: Vec<&str> = text.lines().collect();
    let &["", commit, branch] = &lines[..] else {
        return None;
    };
    // HEAD names the branch, and the branch's log has a line for each commit that it reaches.
    let log = format!("logs/{branch}");
    let files = git(&["--git-path", "HEAD", "--git-path", &log])?;
    for file in files.lines().filter(|file| Path::new(file).exists()) {
        println!("cargo::rerun-if-changed={file}");
    }
    Some(commit.to_owned())
}

/// Whether this is a release build for x86-64 Linux whose panics, debug information and linker are as
/// `Cargo.toml` and Rust set them.
fn linked_as_usual() -> Result<bool, env::VarError> {
    let release = var("PROFILE")? == "release" && var("DEBUG")? == "false";
    let linux = var("TARGET")? == "x86_64-unknown-linux-gnu" && var("HOST")? == var("TARGET")?;
    let changed = env::var_os("RUSTC_LINKER").is_some()
        || env::var_os("CARGO_PROFILE_RELEASE_PANIC").is_some()
        || var("CARGO_ENCODED_RUSTFLAGS")
            .is_ok_and(|flags| flags.contains("link") || flags.contains("panic"));
    Ok(release && linux && !changed)
}

/// Whether this machine's C library is glibc 2.36 or later; where it is earlier, such a program can't start.
fn reads_packed_addresses() -> bool {
    let Ok(asked) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else {
        return false;
    };
    let minor = asked
        .stdout
        .trim_ascii()
        .strip_prefix(b"glibc 2.")
        .map(String::from_utf8_lossy);
    minor
        .and_then(|minor| minor.parse().ok())
        .is_some_and(|minor: u32| minor >= 36)
}
