//! The README and the pages of `docs/`: their commands work and print what the pages say, their
//! tables are those of the program, and their links lead somewhere.

mod algorithms;
mod commands;
mod json_keys;
mod links;
mod reference;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

/// The project.
fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page: its path in the project, with `/` between directories, and its text.
struct Page {
    name: String,
    text: String,
}

impl Page {
    fn read(name: &str) -> Page {
        let text = fs::read_to_string(project().join(name));
        Page {
            name: name.to_owned(),
            text: text.unwrap_or_else(|error| panic!("{name}: {error}")),
        }
    }

    /// Its lines, each with whether it is in a block of code, fences included.
    fn lines(&self) -> impl Iterator<Item = (&str, bool)> {
        let mut inside = false;
        self.text.lines().map(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            let is_code = inside || is_fence;
            inside ^= is_fence;
            (line, is_code)
        })
    }

    /// Its blocks of code, in order.
    fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks: Vec<Block<'_>> = Vec::new();
        let mut before = "";
        // The indent of the open block's fence.
        let mut indent = None;
        for line in self.text.lines() {
            let fence = line.trim_start().strip_prefix("```");
            match (fence, indent) {
                (Some(language), None) => {
                    indent = line.find('`');
                    blocks.push(Block {
                        language,
                        before,
                        lines: Vec::new(),
                    });
                }
                (Some(_), Some(_)) => (indent, before) = (None, ""),
                (None, Some(indent)) => {
                    let line = line.get(indent..).unwrap_or_default();
                    blocks.last_mut().unwrap().lines.push(line);
                }
                (None, None) if !line.is_empty() => before = line.trim_start(),
                (None, None) => {}
            }
        }
        assert!(indent.is_none(), "{}: a block does not end", self.name);
        blocks
    }
}

/// A block of code.
struct Block<'a> {
    language: &'a str,
    /// The last line above it that is not empty; empty if that belongs to another block.
    before: &'a str,
    lines: Vec<&'a str>,
}

/// The pages of `docs/`, by name.
fn docs() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut directories = vec![PathBuf::from("docs")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(project().join(&directory)).unwrap() {
            let name = directory.join(entry.unwrap().file_name());
            if project().join(&name).is_dir() {
                directories.push(name);
            } else if name.extension().is_some_and(|end| end == "md") {
                let parts = name.iter().map(|part| part.to_str().unwrap());
                pages.push(Page::read(&parts.collect::<Vec<_>>().join("/")));
            }
        }
    }
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    pages
}

/// The README and all pages of `docs/`.
fn pages() -> Vec<Page> {
    let mut pages = docs();
    pages.push(Page::read("README.md"));
    pages
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

#[test]
fn the_readme_is_short() {
    let lines = Page::read("README.md").text.lines().count();
    assert!(lines <= 150, "{lines} lines, expected at most 150");
}

/// A page that nothing links to is never read.
#[test]
fn every_page_is_in_the_summary() {
    let summary = Page::read("docs/SUMMARY.md").text;
    for page in docs() {
        let name = page.name.strip_prefix("docs/").unwrap();
        if name != "SUMMARY.md" {
            assert!(
                summary.contains(&format!("]({name})")),
                "docs/SUMMARY.md does not lead to {name}"
            );
        }
    }
}
