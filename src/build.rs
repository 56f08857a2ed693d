//! Links the program an eighth smaller on Linux: a release build ends at a panic and has no use for the tables
//! that would unwind it, and the addresses to set at its start are packed.

use std::env::{self, var};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_PROFILE_RELEASE_PANIC");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
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

/// Whether this is a release build for x86-64 Linux whose panics, debug information and linker are those of
/// `Cargo.toml` and of Rust.
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
