//! The page: every file below `page/`, at its path from there.

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! assets {
    ($($kind:ident $path:literal)+) => {
        static ASSETS: &[(&str, &str, &str)] = &[
            $((concat!("/", $path), $kind, include_str!(concat!("page/", $path)))),+
        ];
    };
}

assets! {
    SCRIPT "api.js"
    SVG "favicon.svg"
    HTML "index.html"
    SCRIPT "main.js"
    CSS "style.css"
    SCRIPT "parts/agent.js"
    SCRIPT "parts/board.js"
    SCRIPT "parts/chart.js"
    SCRIPT "parts/dom.js"
    SCRIPT "parts/explorer.js"
    SCRIPT "parts/figure.js"
    SCRIPT "parts/guard.js"
    SCRIPT "parts/mistakes.js"
    SCRIPT "parts/moves.js"
    SCRIPT "parts/results.js"
    SCRIPT "parts/setup.js"
    SCRIPT "parts/table.js"
    SCRIPT "parts/trail.js"
    SCRIPT "parts/words.js"
    SCRIPT "views/compare.js"
    SCRIPT "views/inside.js"
    SCRIPT "views/match.js"
    SCRIPT "views/play.js"
    SCRIPT "views/run.js"
    SCRIPT "views/runs.js"
    SCRIPT "views/solve.js"
}

/// What a file of the page is, and its text; the page itself is at `/`.
pub fn asset(path: &str) -> Option<(&'static str, &'static str)> {
    let path = match path {
        "/" => "/index.html",
        path => path,
    };
    let found = ASSETS.iter().find(|asset| asset.0 == path);
    found.map(|&(_, kind, text)| (kind, text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::ASSETS;

    fn files(directory: &Path, into: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, into),
                false => into.push(path),
            }
        }
    }

    #[test]
    fn every_file_of_the_page_is_served_and_all_are_light() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page");
        let mut found = Vec::new();
        files(&root, &mut found);
        // Types are for editors, and reports have no server.
        found.retain(|path| !path.ends_with("types.js") && !path.ends_with("report.js"));
        let name = |path: &PathBuf| format!("/{}", path.strip_prefix(&root).unwrap().display());
        let found: BTreeSet<String> = found.iter().map(name).collect();
        let served: BTreeSet<String> = ASSETS.iter().map(|asset| asset.0.to_owned()).collect();
        assert_eq!(found, served);
        let bytes: usize = ASSETS.iter().map(|asset| asset.2.len()).sum();
        assert!(bytes <= 153_000, "{bytes}");
    }
}
