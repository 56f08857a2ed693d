//! The page: every file below `page/`, at its relative path.

macro_rules! assets {
    ($($path:literal)+) => {
        static ASSETS: &[(&str, &str)] = &[
            $((concat!("/", $path), include_str!(concat!("page/", $path)))),+
        ];
    };
}

assets! {
    "index.html" "style.css" "favicon.svg" "main.js" "api.js"
    "parts/agent.js" "parts/board.js" "parts/chart.js" "parts/dom.js" "parts/explorer.js" "parts/figure.js" "parts/guard.js"
    "parts/mistakes.js" "parts/moves.js" "parts/results.js" "parts/setup.js" "parts/table.js" "parts/trail.js" "parts/words.js"
    "views/compare.js" "views/inside.js" "views/match.js" "views/play.js" "views/run.js" "views/runs.js" "views/solve.js"
}

/// The type of a file of the page, and its text; the page itself is at `/`.
pub fn asset(path: &str) -> Option<(&'static str, &'static str)> {
    let path = match path {
        "/" => "/index.html",
        path => path,
    };
    let &(name, text) = ASSETS.iter().find(|asset| asset.0 == path)?;
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    Some((kind, text))
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
        let bytes: usize = ASSETS.iter().map(|asset| asset.1.len()).sum();
        assert!(bytes <= 150 << 10, "{bytes}");
    }
}
