//! Pictures.

use std::io::Cursor;

use playlab::plot::{Axis, Figure, Heatmap, Panel, Picture};

/// The width of a PNG in pixels, and their colors row by row.
pub fn pixels(picture: &impl Picture) -> (usize, Vec<(u8, u8, u8)>) {
    let file = Cursor::new(picture.png().unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    reader.finish().unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let (colors, _) = bytes.as_chunks();
    let colors = colors.iter().map(|&[red, green, blue]| (red, green, blue));
    (info.width as usize, colors.collect())
}

#[test]
fn an_axis_without_length_is_an_error() {
    let figure = |high| Figure {
        title: String::new(),
        subtitle: String::new(),
        groups: vec![vec![Panel {
            title: "X".to_owned(),
            y: Axis::new("rate", 0.0, 1.0),
            series: Vec::new(),
            levels: Vec::new(),
            marks: Vec::new(),
        }]],
        x: Axis::new("episodes", 0.0, high),
        caption: String::new(),
    };
    let good = figure(1.0);
    assert!(good.svg().is_ok() && good.png().is_ok());
    for high in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let bad = figure(high);
        let why = bad.svg().unwrap_err();
        assert!(why.starts_with("drawing failed: there is no axis of episodes from 0 to"));
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
    let (width, colors) = pixels(picture);
    let mut places = Vec::new();
    for y in 2 * top..2 * bottom {
        for x in 2 * left..2 * right {
            if colors[y as usize * width + x as usize].0 < 255 {
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
    // The title, of 18 pixels, has its left and upper end at (16, 16).
    let title = extent(&picture, [0, 0, 200, 42]);
    assert_near(title, [17.76, 16.56, 27.77, 29.68]);
    // The name of the row, of 12 pixels, has its right end and its middle at (55, 134); an H ends
    // it.
    let name = extent(&picture, [46, 112, 60, 152]);
    assert_near(name, [47.15, 128.25, 53.82, 137.0]);
    // The number of the column has its middle and its lower end at (105, 86).
    let [left, top, right, bottom] = extent(&picture, [80, 62, 130, 91]);
    assert!(
        ((left + right) / 2.0 - 105.0).abs() <= 1.0,
        "{left} {right}"
    );
    assert!((top - 74.25).abs() <= 0.5 && (bottom - 83.0).abs() <= 0.5);
}

#[test]
fn letters_that_fit_together_are_kerned() {
    // In em: an A or a V is 0.684 wide, of which 0.008 are empty on the right; an I is 0.295
    // wide, of which 0.098 are empty on either side.
    let right = |title| extent(&table(title), [0, 0, 200, 60])[2];
    assert!(right("AV") < 16.0 + 18.0 * (0.684 + 0.684 - 0.008) - 0.5);
    assert!((right("HI") - (16.0 + 18.0 * (0.752 + 0.295 - 0.098))).abs() <= 0.5);
}

#[test]
fn a_table_of_any_size_is_a_picture_of_bounded_size() {
    let of = |count: usize| Heatmap {
        names: vec![("agent".to_owned(), String::new()); count],
        cells: vec![vec![Some(0.5); count]; count],
        ..table("")
    };
    for count in [1, 8, 40, 150, 1000] {
        let (width, height) = of(count).size();
        let most = width.max(height);
        assert!(width >= 830 && most <= 2600, "{count}: {width} {height}");
    }
    assert!(pixels(&of(150)).0 <= 2 * 2600);
}
