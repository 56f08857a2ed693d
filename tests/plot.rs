//! Pictures.

use playlab::plot::{Figure, Heatmap, Panel, Picture};
use tiny_skia::Pixmap;

#[test]
fn an_axis_without_length_is_an_error() {
    let figure = |x_max| Figure {
        title: String::new(),
        subtitle: String::new(),
        rows: vec![vec![Panel {
            title: "X".to_owned(),
            x_max,
            series: Vec::new(),
            levels: Vec::new(),
            marks: Vec::new(),
        }]],
        x_label: String::new(),
    };
    let good = figure(1.0);
    assert!(good.svg().is_ok() && good.png().is_ok());
    for x_max in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let bad = figure(x_max);
        let why = bad.svg().unwrap_err();
        assert!(why.starts_with("drawing failed: \"X\" has a horizontal axis"));
        assert_eq!(bad.png(), Err(why));
    }
}

fn table(title: &str) -> Heatmap {
    Heatmap {
        title: title.to_owned(),
        subtitle: String::new(),
        names: vec![("H".to_owned(), String::new())],
        cells: Vec::new(),
    }
}

/// Left, top, right and bottom of what is drawn between these, in pixels of the SVG.
fn extent(picture: &Heatmap, [left, top, right, bottom]: [u32; 4]) -> [f64; 4] {
    let pixels = Pixmap::decode_png(&picture.png().unwrap()).unwrap();
    let mut places = Vec::new();
    for y in 2 * top..2 * bottom {
        for x in 2 * left..2 * right {
            if pixels.pixel(x, y).unwrap().red() < 255 {
                places.push((x, y));
            }
        }
    }
    let (xs, ys) = (places.iter().map(|p| p.0), places.iter().map(|p| p.1));
    [
        f64::from(xs.clone().min().unwrap()) / 2.0,
        f64::from(ys.clone().min().unwrap()) / 2.0,
        f64::from(xs.max().unwrap() + 1) / 2.0,
        f64::from(ys.max().unwrap() + 1) / 2.0,
    ]
}

#[track_caller]
fn assert_near(found: [f64; 4], expected: [f64; 4]) {
    for (one, other) in found.into_iter().zip(expected) {
        assert!((one - other).abs() <= 0.5, "{found:?} {expected:?}");
    }
}

/// An H is 0.729 em high and 0.752 em wide, of which 0.098 em are empty on either side.
#[test]
fn text_stands_where_its_anchor_says() {
    let picture = table("H");
    // The title, of 22 pixels, has its left and upper end at (24, 24).
    let title = extent(&picture, [0, 0, 200, 60]);
    assert_near(title, [26.16, 24.68, 38.39, 40.72]);
    // The name of the row, of 15 pixels, has its right end and its middle at (73, 142); an H ends
    // it.
    let name = extent(&picture, [62, 120, 78, 160]);
    assert_near(name, [63.19, 134.82, 71.53, 145.75]);
    // The number of the column has its middle and its lower end at (123, 94).
    let [left, top, right, bottom] = extent(&picture, [90, 70, 160, 99]);
    assert!(
        ((left + right) / 2.0 - 123.0).abs() <= 1.0,
        "{left} {right}"
    );
    assert!((top - 79.3).abs() <= 0.5 && (bottom - 90.25).abs() <= 0.5);
}

#[test]
fn letters_that_fit_together_are_kerned() {
    // In em: an A or a V is 0.684 wide, of which 0.008 are empty on the right; an I is 0.295
    // wide, of which 0.098 are empty on either side.
    let right = |title| extent(&table(title), [0, 0, 200, 60])[2];
    assert!(right("AV") < 24.0 + 22.0 * (0.684 + 0.684 - 0.008) - 1.0);
    assert!((right("HI") - (24.0 + 22.0 * (0.752 + 0.295 - 0.098))).abs() <= 0.5);
}

#[test]
fn a_table_of_any_size_is_a_picture_of_bounded_size() {
    let of = |count: usize| Heatmap {
        names: vec![("agent".to_owned(), String::new()); count],
        cells: vec![vec![Some(0.5); count]; count],
        ..table("")
    };
    let (width, height) = of(24).size();
    for count in [25, 150, 1000] {
        let size = of(count).size();
        assert!(size.0 <= width && size.1 <= height, "{count}: {size:?}");
    }
    let picture = Pixmap::decode_png(&of(150).png().unwrap()).unwrap();
    assert!(picture.width() <= 2 * width);
}
