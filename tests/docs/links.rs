//! Links between the pages, and from them to files.

use std::path::{Component, Path, PathBuf};

use super::{Page, pages, project};

/// What the lines that are not code link to.
fn links(page: &Page) -> Vec<String> {
    let mut links = Vec::new();
    for (line, is_code) in page.lines() {
        if !is_code {
            let ends = line.split("](").skip(1);
            links.extend(ends.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
        }
    }
    links
}

/// The names of a page's headings, as GitHub and mdBook make them.
fn anchors(page: &Page) -> Vec<String> {
    let headings = page
        .lines()
        .filter(|(line, is_code)| !is_code && line.starts_with('#'));
    let anchor = |(line, _): (&str, bool)| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(plain.pop(), "{} leads outside", path.display()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn what_the_pages_link_to_exists() {
    let mut all = pages();
    all.push(Page::read("runs/reference/README.md"));
    all.push(Page::read("CHANGELOG.md"));
    let mut count = 0;
    for page in &all {
        for link in links(page) {
            if link.starts_with("http") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => PathBuf::from(&page.name),
                file => plain(&Path::new(&page.name).parent().unwrap().join(file)),
            };
            assert!(project().join(&target).exists(), "{}: {link}", page.name);
            if !anchor.is_empty() {
                let target = all.iter().find(|page| Path::new(&page.name) == target);
                let anchors = anchors(target.unwrap_or_else(|| panic!("{}: {link}", page.name)));
                let is_there = anchors.iter().any(|name| name == anchor);
                assert!(is_there, "{}: {link} is none of {anchors:?}", page.name);
            }
            count += 1;
        }
    }
    assert!(count > 50, "only {count} links");
}
