//! The page in a real browser, which takes `chromedriver`; on Debian:
//! `apt-get install --no-install-recommends chromium chromium-driver`. `cargo test browser -- --ignored` runs these tests.

mod driver;

use playlab::evaluate::{Analysis, Oracle};
use playlab::game::{GameInfo, Position, play_moves};
use playlab::graph::Solved;
use playlab::search::Limits;
use serde_json::json;

use self::driver::{Browser, DOWN, ENTER, LEFT, RIGHT, TAB, UP};
use crate::place::{Place, SMALL};
use crate::serve::client::Serving;

/// A browser that has entered the lab of a place.
fn entered(place: &Place, directory: &str) -> (Browser, Serving, String) {
    let browser = Browser::start(&place.path(""));
    let serving = Serving::start(place, directory);
    let base = format!("http://{}", serving.host);
    browser.open(&format!("{base}/?token={}", serving.token));
    let hidden = browser.run("return location.search === ''");
    assert_eq!(hidden, true, "the token leaves the address");
    (browser, serving, base)
}

/// Opens a view by its address.
fn visit(browser: &Browser, base: &str, view: &str) {
    browser.open("about:blank");
    browser.open(&format!("{base}/#/{view}"));
    browser.until("return document.querySelector('main h1') !== null");
}

#[track_caller]
fn no_errors(browser: &Browser) {
    let errors = browser.errors();
    assert!(errors.is_empty(), "{errors:?}");
}

const OFTEN: [&str; 2] = ["--set", "checkpoints.every=1"];

#[test]
#[ignore = "needs a browser"]
fn every_view_opens_without_an_error_at_any_width() {
    let place = Place::trained(SMALL, &OFTEN);
    place.ok("train small.toml --out other --seeds 2");
    let (browser, _serving, base) = entered(&place, ".");
    let views = [
        ("runs", "tbody tr"),
        ("run?name=run", ".chart path"),
        ("compare?name=run&name=other", ".chart path"),
        ("inside?run=run&moves=b2", "[role=gridcell][aria-label]"),
        (
            "play?game=othello&x=human&o=level:easy",
            "[role=gridcell][aria-label]",
        ),
        (
            "play?game=connect-four&x=human&o=random",
            "[role=gridcell][aria-label]",
        ),
        (
            "play?game=hex-5x5&x=human&o=random",
            "[role=gridcell][aria-label]",
        ),
        ("match", "select option"),
        (
            "solve?game=tic-tac-toe&moves=a1",
            "[role=gridcell][aria-label]",
        ),
    ];
    let widths = [390, 1280, 1920];
    for ((view, there), opened) in views.into_iter().zip(widths.into_iter().cycle()) {
        // Opened at one width, then resized, because opening takes longest.
        browser.width(opened);
        visit(&browser, &base, view);
        for width in widths {
            browser.width(width);
            browser.until(&format!(
                "return document.querySelector({there:?}) !== null"
            ));
            let over = browser.run("return document.scrollingElement.scrollWidth - innerWidth");
            assert!(
                over.as_i64() <= Some(0),
                "{view} at {width}: {over} too wide"
            );
            // What is shown only on a phone, or only where there is room, is checked too.
            if width != 1280 {
                let nameless = browser.nameless();
                assert!(nameless.is_empty(), "{view} at {width}: {nameless:?}");
                let faults = browser.faults();
                assert!(faults.is_empty(), "{view} at {width}: {faults:?}");
            }
        }
        no_errors(&browser);
    }
    browser.open(&format!("{base}/#/nowhere"));
    let condition = "document.querySelector('main .trouble')?.textContent === 'No such page.'";
    browser.until(&format!("return {condition}"));
    // O has learned, and a page that has just been opened would show its move.
    visit(&browser, &base, "inside?run=run&seed=1&checkpoint=6");
    browser.until("return document.body.textContent.includes('X to move')");
}

#[test]
#[ignore = "needs a browser"]
fn a_training_is_watched_live() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    std::fs::create_dir(place.path("runs")).unwrap();
    let (browser, _serving, base) = entered(&place, "runs");
    visit(&browser, &base, "runs");
    browser.until("return document.body.textContent.includes('No runs yet')");
    let mut training = place
        .command("train small.toml --seeds 1 --set epochs=12 --set episodes_per_epoch=1000000");
    let mut training = place.spawn(&mut training);
    browser
        .until("return document.querySelector('tbody')?.textContent.includes('training') ?? false");
    browser.click("tbody a");
    browser.until("return document.querySelector('.chart path') !== null");
    training.wait().unwrap();
    browser.until("return document.querySelector('main').textContent.includes('finished')");
    // A row that stays the same is not replaced by another one, under the pointer.
    visit(&browser, &base, "runs");
    browser.until("return window.kept = document.querySelector('tbody tr')");
    place.ok("train small.toml --seeds 1 --out runs/z");
    browser.until("return document.querySelectorAll('tbody tr').length === 2");
    assert_eq!(browser.run("return window.kept.isConnected"), true);
    no_errors(&browser);
}

#[test]
#[ignore = "needs a browser"]
fn the_slider_shows_how_values_settle() {
    let place = Place::new();
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/qtable_o.toml");
    let train = ["train", config, "--seeds", "1", "--out", "run"];
    place.ok(&[&train[..], &OFTEN].concat());
    let (browser, _serving, base) = entered(&place, ".");
    visit(&browser, &base, "inside?run=run&moves=b2&checkpoint=1");
    browser.until(
        "return document.querySelector('.stamp')?.textContent.startsWith('epoch 1,') ?? false",
    );
    let notes = "return [...document.querySelectorAll('[role=gridcell]')].map((one) => one.getAttribute('aria-label')).join('; ')";
    let before = browser.until(notes);
    assert!(
        before.as_str().unwrap().contains("agent expects"),
        "{before}"
    );
    browser.run("document.querySelector('input[type=range]').focus()");
    for epoch in 2..=6 {
        browser.key(RIGHT);
        browser.until(&format!(
            "return document.querySelector('.stamp').textContent.startsWith('epoch {epoch},')"
        ));
    }
    let after = browser.until(notes);
    assert_ne!(before, after);
    // A move on the board leads to the next position.
    browser.click("[role=gridcell][aria-label^='a1']");
    browser.until("return location.hash.includes('a1')");
    no_errors(&browser);
}

/// The moves in the address.
fn moves(browser: &Browser) -> String {
    let text =
        browser.run("return new URLSearchParams(location.hash.split('?')[1]).get('moves') ?? ''");
    text.as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs a browser"]
fn a_game_is_won_by_keyboard_alone() {
    let place = Place::new();
    let (browser, _serving, base) = entered(&place, "runs");
    let game = GameInfo::find("tic-tac-toe").unwrap();
    let mut oracle = Oracle::Listed(Solved::game(game).unwrap().into());
    visit(
        &browser,
        &base,
        "play?game=tic-tac-toe&x=human&o=random&seed=1",
    );
    browser.until("return document.querySelector('[role=gridcell]') !== null");
    let on_board = "return document.activeElement?.getAttribute('role') === 'gridcell'";
    let outcome = "return document.querySelector('.outcome')?.textContent ?? null";
    for _ in 0..30 {
        let mut tabs = 0;
        while browser.run(on_board) != true {
            browser.key(TAB);
            tabs += 1;
            assert!(tabs < 100, "the board is not reached");
        }
        loop {
            browser.until(
                "return document.querySelector('.outcome') !== null || \
                 document.querySelector('.turn').textContent.includes('X to move')",
            );
            if !browser.run(outcome).is_null() {
                break;
            }
            let made = moves(&browser);
            let position: Position = play_moves(game, &made).unwrap();
            let Analysis { moves: all, .. } =
                oracle.analyze(position, &Limits::NONE).unwrap().unwrap();
            // The fastest win, if it is won.
            let best = all
                .iter()
                .filter(|mv| mv.optimal)
                .min_by_key(|mv| mv.distance)
                .unwrap();
            let (row, column) = position.square(best.mv).unwrap();
            let here =
                browser.run("return document.activeElement.getAttribute('aria-label').slice(0, 2)");
            let here = here.as_str().unwrap().as_bytes().to_vec();
            let [at_column, at_row] = [here[0] - b'a', here[1] - b'1'].map(i32::from);
            let [right, down] = [column as i32 - at_column, row as i32 - at_row];
            for (steps, keys) in [(right, [LEFT, RIGHT]), (down, [UP, DOWN])] {
                for _ in 0..steps.abs() {
                    browser.key(keys[usize::from(steps > 0)]);
                }
            }
            browser.key(ENTER);
            let before = made.len();
            browser.until(&format!(
                "return (new URLSearchParams(location.hash.split('?')[1]).get('moves') ?? '').length > {before}"
            ));
        }
        let ended = browser.run(outcome);
        if ended.as_str().unwrap().starts_with("X wins") {
            let said = browser.text("#announcer");
            assert!(said.contains("X wins"), "{said}");
            no_errors(&browser);
            return;
        }
        // A draw: again.
        browser.press("New game");
        browser.until("return document.querySelector('.outcome') === null");
    }
    panic!("30 games against random play, and none was won");
}

/// Moves on a small board of Othello after which a side has to pass.
fn line_to_a_pass(game: &'static GameInfo) -> String {
    let mut lines = vec![(Position::start(game), Vec::new())];
    loop {
        let (position, line) = lines.remove(0);
        let all: Vec<_> = position.moves().collect();
        if let [only] = all[..]
            && position.square(only).is_none()
        {
            return line.join(",");
        }
        for mv in all {
            let mut longer = line.clone();
            longer.push(position.format_move(mv));
            lines.push((position.play_unchecked(mv), longer));
        }
    }
}

#[test]
#[ignore = "needs a browser"]
fn othello_is_passed_undone_saved_and_loaded() {
    let place = Place::new();
    let (browser, _serving, base) = entered(&place, "runs");
    let line = line_to_a_pass(GameInfo::find("othello-4x4").unwrap());
    visit(
        &browser,
        &base,
        &format!("play?game=othello-4x4&x=human&o=human&moves={line}"),
    );
    browser.press("Pass");
    browser.until("return document.querySelector('#announcer').textContent.includes('passes')");
    let passed = moves(&browser);
    assert!(passed.len() > line.len(), "{passed}");
    browser.press("Undo");
    browser.until(&format!(
        "return !location.hash.includes({:?})",
        passed.replace(',', "%2C")
    ));
    assert_eq!(moves(&browser), line);
    browser.press("Redo");
    browser.until("return document.querySelector('#announcer').textContent.includes('passes')");
    browser.click("details.setup summary");
    browser.press("Save the game");
    let file = place.path("othello-4x4.toml");
    let begun = std::time::Instant::now();
    while !file.is_file() {
        assert!(begun.elapsed().as_secs() < 20, "nothing was saved");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let saved = place.read("othello-4x4.toml");
    assert!(saved.contains(&format!("moves = \"{passed}\"")), "{saved}");
    // It is loaded again from another game.
    visit(&browser, &base, "play?game=tic-tac-toe&x=human&o=human");
    browser.click("details.setup summary");
    browser.type_into("input[type=file]", &file.display().to_string());
    browser.until("return location.hash.includes('othello-4x4')");
    assert_eq!(moves(&browser), passed);
    no_errors(&browser);
    // A file can only hold moves from the start.
    visit(&browser, &base, "play?x=human&o=human&position=X../.O./...");
    browser.until("return document.body.textContent.includes('X to move')");
    browser.press("Save the game");
    browser.until(
        "return document.querySelector('.setup .trouble').textContent.startsWith('Only a game')",
    );
    assert!(!place.path("tic-tac-toe.toml").exists());
    // Once nothing is left to undo, the board has the focus.
    visit(&browser, &base, "play?x=human&o=human&moves=b2");
    browser.until(
        "const undo = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Undo');
         undo?.focus(); return document.activeElement === undo && !undo.disabled",
    );
    browser.key(ENTER);
    browser.until("return document.activeElement.classList.contains('square')");
}

#[test]
#[ignore = "needs a browser"]
fn a_match_is_played_and_a_position_solved() {
    let place = Place::new();
    let (browser, _serving, base) = entered(&place, "runs");
    visit(
        &browser,
        &base,
        "match?game=tic-tac-toe&a=minimax&b=random&games=200",
    );
    browser.press("Start the match");
    browser.until("return document.querySelector('.result').textContent.includes('xact')");
    // An empty field is not a number of games.
    browser.run("document.querySelector('.fields input').value = ''");
    browser.press("Start the match");
    let empty = browser.run("return document.querySelector('.fields input').validity.valueMissing");
    assert_eq!(empty, true);
    let still = browser.run("return document.querySelector('.result h2') !== null");
    assert_eq!(still, true);
    visit(&browser, &base, "solve?game=tic-tac-toe&moves=a1");
    browser.until("return document.querySelector('main').textContent.includes('draw')");
    // Moves without anything between them are separated as the server separates them.
    visit(&browser, &base, "solve?game=othello-4x4&moves=b1a1");
    browser.until("return document.querySelector('main').textContent.includes('score −8')");
    assert_eq!(moves(&browser), "b1,a1");
    // The menu of the games keeps the focus.
    browser.until("return document.querySelector('.game select').options.length > 9");
    browser.run("document.querySelector('.game select').focus()");
    for _ in 0..2 {
        let before = browser.run("return location.hash");
        browser.key(DOWN);
        browser.until(&format!("return location.hash !== {before}"));
    }
    no_errors(&browser);
}

#[test]
#[ignore = "needs a browser"]
fn a_match_names_who_played_and_a_refusal_stands_alone() {
    let place = Place::new();
    let (browser, _serving, base) = entered(&place, "runs");
    let slow = "match?game=tic-tac-toe&a=mcts:simulations=5000&b=random&games=600";
    visit(&browser, &base, slow);
    browser.until("return document.querySelectorAll('.players select').length > 1");
    browser.press("Start the match");
    // Another player is chosen while they play.
    browser.until("return document.querySelector('.filling').textContent.includes(' of 600')");
    browser.run(
        "const menu = document.querySelector('.players > :last-child > .field > select'); \
         menu.value = 'minimax'; menu.dispatchEvent(new Event('change'))",
    );
    browser.until("return location.hash.includes('b=minimax')");
    browser.until("return document.querySelector('.result h2') !== null");
    let says = browser.text(".result h2");
    assert!(says.ends_with("against random."), "{says}");
    visit(&browser, &base, "match?game=tic-tac-toe&a=nobody&b=random");
    browser.press("Start the match");
    browser.until("return document.querySelector('.trouble').textContent.includes('nobody')");
    browser.until("return document.querySelector('.filling').hidden");
}

#[test]
#[ignore = "needs a browser"]
fn a_move_waits_for_a_free_place_and_hints_end_where_nobody_looks() {
    let place = Place::new();
    let (browser, serving, base) = entered(&place, "runs");
    let most = serving.ok("/api/lab")["searches"].as_u64().unwrap();
    let deep = json!({ "game": "othello", "agent": "alpha-beta:depth=30" });
    let others: Vec<_> = (0..most)
        .map(|_| serving.begin("/api/move", &deep))
        .collect();
    visit(
        &browser,
        &base,
        "play?game=tic-tac-toe&x=human&o=random&moves=b2",
    );
    browser
        .until("return document.querySelector('.beside .thinking').textContent.includes('waits')");
    drop(others);
    browser.until("return location.hash.includes('moves=b2,')");
    visit(&browser, &base, "play?game=othello&x=human&o=human");
    browser.until("return document.querySelector('[role=gridcell]') !== null");
    browser.run(
        "const ask = fetch; \
         window.fetch = (path, how) => { \
             if (path === '/api/hints') window.hints = how.signal; \
             return ask(path, how); \
         }",
    );
    browser.click(".tick input");
    let goes_on = "return window.hints !== undefined && !window.hints.aborted";
    browser.until(goes_on);
    for (hidden, hints) in [(true, false), (false, true)] {
        browser.run(&format!(
            "Object.defineProperty(document, 'hidden', {{ get: () => {hidden}, configurable: true }}); \
             document.dispatchEvent(new Event('visibilitychange'))"
        ));
        assert_eq!(browser.run(goes_on), hints);
    }
}

#[test]
#[ignore = "needs a browser"]
fn what_is_seen_inside_is_as_new_as_the_run() {
    let place = Place::trained(SMALL, &[&OFTEN[..], &["--seeds", "1"]].concat());
    let (browser, serving, base) = entered(&place, ".");
    let best = serving.ok("/api/run?name=run")["seeds"][0]["best"]["epoch"].clone();
    let pruned = [2, 4].into_iter().find(|epoch| best != *epoch).unwrap();
    visit(
        &browser,
        &base,
        &format!("inside?run=run&moves=b2&checkpoint={pruned}"),
    );
    let at = |epoch: u64| {
        format!(
            "return document.querySelector('.stamp')?.textContent.startsWith('epoch {epoch},') ?? false"
        )
    };
    browser.until(&at(pruned));
    let asked = "return performance.getEntriesByType('resource').filter((one) => one.name.includes('/history')).length";
    let before = browser.run(asked).as_u64().unwrap();
    browser.run("location.hash = '#/runs'");
    browser.until("return document.querySelector('.runs tbody tr') !== null");
    browser.run(&format!(
        "location.hash = '#/inside?run=run&moves=b2&checkpoint={pruned}'"
    ));
    browser.until(&at(pruned));
    assert!(
        browser.run(asked).as_u64().unwrap() > before,
        "an old history is shown"
    );
    // A reader whose checkpoint is removed sees the nearest one left.
    for kind in ["json", "npz"] {
        let path = format!("run/checkpoints/seed-0001/epoch-{pruned:06}.{kind}");
        std::fs::remove_file(place.path(&path)).unwrap();
    }
    browser.until(&at(pruned - 1));
    assert_eq!(browser.text(".trouble"), "");
    no_errors(&browser);
}

#[test]
#[ignore = "needs a browser"]
fn a_run_whose_name_looks_like_an_option_is_called_by_it() {
    let place = Place::new();
    place.write("small.toml", SMALL);
    for name in ["c=0.5", "c=0.5,d=1"] {
        place.ok(&["train", "small.toml", "--out", name, "--seeds", "1"]);
    }
    let (browser, _serving, base) = entered(&place, ".");
    visit(
        &browser,
        &base,
        "match?game=tic-tac-toe&a=run:c%3D0.5&b=random",
    );
    browser.press("Start the match");
    browser.until("return document.querySelector('.result h2') !== null");
    let says = browser.text(".result h2");
    assert!(says.starts_with("run: c=0.5 wins"), "{says}");
    visit(
        &browser,
        &base,
        "match?game=tic-tac-toe&a=run:c%3D0.5%2Cd%3D1&b=random",
    );
    browser.press("Start the match");
    browser.until("return document.querySelector('.result h2') !== null");
    let says = browser.text(".result h2");
    assert!(says.starts_with("run: c=0.5,d=1 wins"), "{says}");
    no_errors(&browser);
}

#[test]
#[ignore = "needs a browser"]
fn a_report_opens_from_disk() {
    let place = Place::trained(SMALL, &OFTEN);
    place.ok("report run --output report.html");
    let browser = Browser::start(&place.path(""));
    for width in [390, 1280] {
        browser.width(width);
        browser.open(&format!("file://{}", place.path("report.html").display()));
        browser.until("return document.querySelector('main h1') !== null");
        browser.until("return document.querySelector('.chart path') !== null");
        browser.until("return document.querySelector('[role=gridcell]') !== null");
        let over = browser.run("return document.scrollingElement.scrollWidth - innerWidth");
        assert!(over.as_i64() <= Some(0), "at {width}: {over} too wide");
        no_errors(&browser);
    }
    let nameless = browser.nameless();
    assert!(nameless.is_empty(), "{nameless:?}");
    let faults = browser.faults();
    assert!(faults.is_empty(), "{faults:?}");
}

/// Browsers take long to start, so one looks at everything that one place can show.
#[test]
#[ignore = "needs a browser"]
fn what_is_shown_of_runs_is_theirs() {
    let measured = "game = \"tic-tac-toe\"\nside = \"both\"\nseeds = 2\nagent = \"greedy\"\n\
        [evaluation]\nopponents = [\"random\"]\ngames = 4\n";
    let over = |key: &str, values: &str| {
        format!("[[sweep.over]]\nkey = \"learner.q-learning.{key}\"\nvalues = {values}\n")
    };
    let sweep = "[sweep]\nmode = \"product\"\n".to_owned()
        + &over("initial_value", "[1, 2, 3, 4]")
        + &over("discount", "[0.8, 0.9, 1]");
    let place = Place::trained(SMALL, &[]);
    place.write("measured.toml", measured);
    place.ok("train measured.toml --out measured");
    place.write("sweep.toml", &format!("{SMALL}{sweep}"));
    place.ok("train sweep.toml --seeds 1 --out sweep");
    place.ok(&["train", "small.toml", "--seeds", "1", "--out", "it's mine"]);
    let (browser, _serving, base) = entered(&place, ".");
    the_command_of_a_run_can_be_pasted(&browser, &base);
    curves_without_a_name_of_their_own_share_an_entry_of_the_legend(&browser, &base);
    the_list_is_as_it_was_left_and_compares_by_enter(&browser, &base);
    a_run_that_learns_nothing_and_one_that_is_not_there_show_no_empty_curves(&browser, &base);
    why_runs_are_not_compared_stays_shown(&browser, &base);
    a_comparison_follows_its_runs(&browser, &base, &place);
    a_run_that_is_deleted_is_gone_until_it_is_there_again(&browser, &base, &place);
}

fn a_run_that_learns_nothing_and_one_that_is_not_there_show_no_empty_curves(
    browser: &Browser,
    base: &str,
) {
    let heads = "return [...document.querySelectorAll('.run > section:not([hidden]) h2')].map((one) => one.textContent).join()";
    visit(browser, base, "run?name=measured");
    browser.until("return document.querySelector('.verdict-head') !== null");
    assert_eq!(browser.run(heads), "How strong it is,Its config");
    no_errors(browser);
    visit(browser, base, "run?name=nope");
    browser.until("return document.querySelector('.trouble').textContent.includes('nope')");
    assert_eq!(browser.run(heads), "");
}

fn the_command_of_a_run_can_be_pasted(browser: &Browser, base: &str) {
    visit(browser, base, "run?name=it%27s%20mine");
    let command = browser.until("return document.querySelector('.facts code')?.textContent");
    let end = r" train small.toml --seeds 1 --out 'it'\''s mine'";
    assert!(command.as_str().unwrap().ends_with(end), "{command}");
    no_errors(browser);
}

fn a_run_that_is_deleted_is_gone_until_it_is_there_again(
    browser: &Browser,
    base: &str,
    place: &Place,
) {
    let train = ["train", "small.toml", "--seeds", "1", "--out", "again"];
    place.ok(&train);
    for (view, there) in [
        ("run?name=again", ".chart path"),
        ("inside?run=again&moves=b2", "[role=gridcell]"),
    ] {
        let is_there =
            format!("return document.querySelector('section:not([hidden]) {there}') !== null");
        visit(browser, base, view);
        browser.until(&is_there);
        std::fs::remove_dir_all(place.path("again")).unwrap();
        let gone = "document.querySelector('.trouble').textContent.startsWith('there is no run')";
        let seen = "document.querySelectorAll('main section:not([hidden]), .verdicts > *').length";
        browser.until(&format!("return {gone} && {seen} === 0"));
        place.ok(&train);
        browser.until(&is_there);
        assert_eq!(browser.text(".trouble"), "");
    }
}

fn curves_without_a_name_of_their_own_share_an_entry_of_the_legend(browser: &Browser, base: &str) {
    visit(browser, base, "compare?name=sweep");
    browser.until("return document.querySelector('.chart .curve') !== null");
    let others = browser.run(
        "return [...document.querySelector('.legend').children].filter((one) => one.textContent.startsWith('the 7 that rank behind')).length",
    );
    assert_eq!(others, 1);
    no_errors(browser);
}

fn why_runs_are_not_compared_stays_shown(browser: &Browser, base: &str) {
    for _ in 0..3 {
        visit(browser, base, "compare?name=run&name=nope");
        browser.until("return document.querySelector('tbody tr') !== null");
        browser.until("return document.querySelector('.trouble').textContent.includes('nope')");
        browser.until("return document.querySelector('.chart .curve') !== null");
    }
}

fn the_list_is_as_it_was_left_and_compares_by_enter(browser: &Browser, base: &str) {
    visit(browser, base, "runs");
    browser.until("return document.querySelectorAll('td.name a').length > 12");
    browser.run("document.querySelector('th.name button').click(); scrollTo(0, 200)");
    browser.until("return history.state === 200");
    browser.run("[...document.querySelectorAll('td.name a')].at(-3).click()");
    browser.until("return document.querySelector('.verdict-head') !== null && scrollY === 0");
    browser.run("history.back()");
    let back = browser.until(
        "const links = [...document.querySelectorAll('td.name a')];
         return links.length > 12 && document.activeElement === links.at(-3)
            && [scrollY, document.querySelector('th.name').ariaSort]",
    );
    assert_eq!(back, json!([200, "ascending"]));
    browser.run("for (const box of [...document.querySelectorAll('td.pick input')].slice(-2)) { box.click(); box.focus(); }");
    browser.key(ENTER);
    browser.until("return location.hash.startsWith('#/compare?') && document.querySelector('.chart .curve') !== null");
    no_errors(browser);
}

fn a_comparison_follows_its_runs(browser: &Browser, base: &str, place: &Place) {
    let train = |epochs: &str| {
        place.ok(&["train", "small.toml", "--set", epochs, "--out", "longer"]);
    };
    let remove = || std::fs::remove_dir_all(place.path("longer")).unwrap();
    // The names, no trouble, and where the episodes end.
    let shows = |names: &str, end: &str| {
        browser.until(&format!(
            "const all = (what) => [...document.querySelectorAll(what)].map((one) => one.textContent);
             return all('td.name a').join() === '{names}' && all('.trouble').join('') === ''
                && all('.chart .ticks text').includes('{end}')"
        ));
    };
    visit(browser, base, "compare?name=run&name=longer");
    let missing = || {
        browser.until(
            "const all = (what) => [...document.querySelectorAll(what)].map((one) => one.textContent);
             return all('td.name a').join() === 'run' && all('.chart .ticks text').includes('300')
                && all('.trouble').join('|') === 'There is no run longer.|'",
        )
    };
    missing();
    train("epochs=4");
    shows("run,longer", "300");
    remove();
    missing();
    train("epochs=12");
    shows("run,longer", "600");
    remove();
    missing();
}

#[test]
#[ignore = "needs a browser"]
fn players_are_chosen_and_come_with_cautions() {
    let place = Place::trained(SMALL, &[]);
    let (browser, _serving, base) = entered(&place, ".");
    a_checkpoint_is_asked_for_only_where_a_run_is_named(&browser, &base);
    what_an_agent_is_cautioned_of_is_read_as_long_as_it_plays(&browser, &base);
    a_loaded_game_of_another_board_is_played_by_who_can_play_it(&browser, &base, &place);
    in_hex_sides_say_what_they_join(&browser, &base);
}

fn in_hex_sides_say_what_they_join(browser: &Browser, base: &str) {
    visit(browser, base, "play?game=hex-5x5&x=human&o=random");
    browser.until("return document.querySelector('.board .edge.o.rim') !== null");
    let said = browser.until("return document.querySelector('.players').textContent || null");
    let said = said.as_str().unwrap();
    assert!(said.contains("O, from left to right"), "{said}");
    no_errors(browser);
}

fn a_checkpoint_is_asked_for_only_where_a_run_is_named(browser: &Browser, base: &str) {
    visit(browser, base, "match?game=tic-tac-toe&a=mcts&b=random");
    browser.until("return document.querySelector('.option-grid input') !== null");
    let field = |name: &str| {
        format!(
            "const field = [...document.querySelectorAll('.option-grid .field')]
                 .find((one) => one.firstChild.textContent === '{name}');"
        )
    };
    let is_there = field("checkpoint") + "return field !== undefined";
    assert_eq!(browser.run(&is_there), false);
    browser.run(
        &(field("evaluation")
            + "const input = field.querySelector('input');
               input.value = 'run:run';
               input.dispatchEvent(new Event('change'));"),
    );
    assert_eq!(browser.run(&is_there), true);
    no_errors(browser);
}

fn what_an_agent_is_cautioned_of_is_read_as_long_as_it_plays(browser: &Browser, base: &str) {
    visit(
        browser,
        base,
        "play?game=tic-tac-toe&x=run:run&o=human&hints=1",
    );
    browser.until("return location.hash.includes('moves=')");
    let caution = "document.querySelector('.beside .caution')";
    browser.until(&format!(
        "return {caution}?.textContent.includes('did not learn to play X') ?? false"
    ));
    browser.run(
        "const menu = document.querySelector('.players select'); \
         menu.value = 'human'; menu.dispatchEvent(new Event('change'))",
    );
    browser.until(&format!("return {caution} === null"));
    no_errors(browser);
}

fn a_loaded_game_of_another_board_is_played_by_who_can_play_it(
    browser: &Browser,
    base: &str,
    place: &Place,
) {
    visit(browser, base, "play?game=tic-tac-toe&x=human&o=run:run");
    browser.until("return document.querySelector('[role=gridcell]') !== null");
    place.write("saved.toml", "game = \"connect-four\"\nmoves = \"4,4\"\n");
    browser.click("details.setup summary");
    let saved = place.path("saved.toml");
    browser.type_into("input[type=file]", &saved.display().to_string());
    browser.until("return location.hash.includes('connect-four')");
    browser.until("return !location.hash.includes('run:run')");
    no_errors(browser);
}
