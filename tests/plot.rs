//! Pictures.

use std::io::Cursor;

use playlab::plot::{
    Axis, Figure, Grid, GridTable, Names, Panel, Parallel, ParallelAxis, Picture, Series, Spread,
    Stroke,
};

/// The width of a PNG in pixels, and the colors of the pixels row by row.
pub fn pixels(picture: &impl Picture) -> (usize, Vec<(u8, u8, u8)>) {
    let file = Cursor::new(picture.png().unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    reader.finish().unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    let (colors, _) = bytes.as_chunks();
    let colors = colors.iter().map(|&[red, green, blue, alpha]| {
        assert_eq!(alpha, 255);
        (red, green, blue)
    });
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

/// The points of the longest line, or outline, in a picture of one curve from 0 to 1.
fn longest_line(points: Vec<(f64, f64)>, spread: Spread) -> Vec<(i32, i32)> {
    let figure = Figure {
        title: String::new(),
        subtitle: String::new(),
        groups: vec![vec![Panel {
            title: String::new(),
            y: Axis::new("rate", 0.0, 1.0),
            series: vec![Series {
                points,
                spread,
                dots: Vec::new(),
                stroke: Stroke {
                    name: String::new(),
                    color: (0, 0, 0),
                    dash: None,
                },
            }],
            levels: Vec::new(),
            marks: Vec::new(),
        }]],
        x: Axis::new("episodes", 0.0, 1.0),
        caption: String::new(),
    };
    let svg = figure.svg().unwrap();
    let lines = svg.split("points=\"").skip(1);
    let point = |text: &str| -> (i32, i32) {
        let (x, y) = text.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let points = |line: &str| {
        let line = line.split('"').next().unwrap();
        line.split_whitespace()
            .map(point)
            .collect::<Vec<(i32, i32)>>()
    };
    lines.map(points).max_by_key(Vec::len).unwrap()
}

#[test]
fn of_a_line_of_many_points_only_the_visible_ones_are_drawn() {
    let points = |count: u32, y: fn(u32) -> f64| -> Vec<(f64, f64)> {
        let x = |number: u32| f64::from(number) / f64::from(count - 1);
        (0..count).map(|number| (x(number), y(number))).collect()
    };
    let ends = |line: &[(i32, i32)]| {
        let (xs, ys) = (line.iter().map(|p| p.0), line.iter().map(|p| p.1));
        let [left, right] = [xs.clone().min(), xs.max()];
        [left, right, ys.clone().min(), ys.max()]
    };
    // All points, if they are few.
    let few = points(2000, |number| f64::from(number) / 1999.0);
    let few = longest_line(few, Spread::None);
    assert_eq!(few.len(), 2000);
    // Neither of the extremes is lost.
    let many = points(50_000, |number| match number {
        20_001 => 0.0,
        30_003 => 1.0,
        _ => 0.5,
    });
    let line = longest_line(many.clone(), Spread::None);
    assert!(line.len() < 2000, "{}", line.len());
    assert_eq!(ends(&line), ends(&few));
    let band = many.iter().map(|&(x, y)| (x, y, y)).collect();
    let outline = longest_line(Vec::new(), Spread::Band(band));
    assert!(outline.len() < 4000, "{}", outline.len());
    assert_eq!(ends(&outline), ends(&few));
    let curve = longest_line(Vec::new(), Spread::Thin(vec![many]));
    assert_eq!(curve, line);
}

/// A table with this many rows and columns, all with this name and this number.
fn table(title: &str, name: &str, count: usize, number: Option<f64>) -> Grid {
    let names = Names {
        label: String::new(),
        names: vec![name.to_owned(); count],
    };
    Grid {
        title: title.to_owned(),
        subtitle: String::new(),
        rows: names.clone(),
        columns: names,
        tables: vec![GridTable {
            // Invisible, but it takes up space.
            title: " ".to_owned(),
            cells: vec![vec![number; count]; count],
            turned: vec![false; count],
            spans: Vec::new(),
        }],
        by_column: false,
        ends: number.and(Some((0.0, 1.0))),
        colors: vec![(200, 100, 0), (255, 255, 255), (0, 100, 200)],
        caption: String::new(),
    }
}

/// Left, top, right and bottom of what is drawn between these, in pixels of the SVG.
fn extent(picture: &impl Picture, [left, top, right, bottom]: [u32; 4]) -> [f64; 4] {
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

/// An H is 0.729 em high and 0.752 em wide, with 0.098 em empty on either side.
#[test]
fn text_stands_where_its_anchor_says() {
    let picture = table("H", "H", 1, None);
    // The title, of 18 pixels, has its left and upper end at (16, 16).
    let title = extent(&picture, [0, 0, 200, 42]);
    assert_near(title, [17.76, 16.56, 27.77, 29.68]);
    // The name of the row, of 11.5 pixels, has its right end and its middle at (43, 113).
    let row = extent(&picture, [20, 98, 47, 128]);
    assert_near(row, [35.48, 107.49, 41.87, 115.88]);
    // The name of the column has its middle and its upper end at (97, 130).
    let column = extent(&picture, [80, 127, 120, 150]);
    assert_near(column, [93.8, 130.36, 100.2, 138.74]);
    let picture = Parallel {
        title: String::new(),
        subtitle: String::new(),
        axes: vec![ParallelAxis {
            label: "H".to_owned(),
            ticks: Vec::new(),
        }],
        lines: Vec::new(),
        caption: String::new(),
    };
    // The label, of 12 pixels, has its middle and its lower end at (56, 110).
    let label = extent(&picture, [40, 90, 80, 112]);
    assert_near(label, [52.66, 98.25, 59.34, 107.0]);
}

#[test]
fn letters_that_fit_together_are_kerned() {
    // In em: an A or a V is 0.684 wide, with 0.008 empty on the right; an I is 0.295
    // wide, with 0.098 empty on either side.
    let right = |title| extent(&table(title, "", 1, None), [0, 0, 200, 60])[2];
    assert!(right("AV") < 16.0 + 18.0 * (0.684 + 0.684 - 0.008) - 0.5);
    assert!((right("HI") - (16.0 + 18.0 * (0.752 + 0.295 - 0.098))).abs() <= 0.5);
}

/// Scales and names as in a tournament's picture.
#[test]
fn a_scale_with_fixed_ends_ignores_the_numbers_and_long_names_are_told_apart_by_both_ends() {
    let count = |number: f64, color: (u8, u8, u8)| {
        let (_, colors) = pixels(&table("", "agent", 3, Some(number)));
        colors.into_iter().filter(|found| *found == color).count()
    };
    // Nine cells of 4 * 96 * 26 pixels each, minus their numbers.
    for (number, color) in [(0.0, (200, 100, 0)), (1.0, (0, 100, 200))] {
        let drawn = count(number, color);
        assert!(drawn > 60_000, "{number}: {drawn}");
        assert!(count(0.5, color) < 1000);
    }
    let name = "1 ".to_owned() + &"agent".repeat(20) + " (+123)";
    for agents in [2, 100] {
        let picture = table("", &name, agents, Some(0.5));
        let svg = picture.svg().unwrap();
        assert!(svg.contains("1 agent") && svg.contains("(+123)"), "{svg}");
        assert_eq!(pixels(&picture).0, 2 * 830);
    }
    let written = table("", "agent", 3, Some(0.25)).svg().unwrap();
    assert_eq!(written.matches("0.25").count(), 9, "{written}");
}

#[test]
fn a_table_of_any_size_is_a_picture_of_bounded_size() {
    let of = |count: usize| table("", "agent", count, Some(0.25));
    for count in [1, 8, 40, 150, 1000] {
        let (width, height) = of(count).size();
        let (least, most) = (width.min(height), width.max(height));
        // No cell is off the page.
        assert!(
            width >= 830 && least as usize > count,
            "{count}: {width} {height}"
        );
        assert!(most <= 2600, "{count}: {width} {height}");
    }
    assert!(pixels(&of(150)).0 <= 2 * 2600);
    // Rows of 8 pixels show every second name, and columns of 2 every eighth; cells of 96 by 8 show no numbers.
    assert_eq!(of(300).svg().unwrap().matches("agent").count(), 150 + 38);
    let mut low = of(300);
    low.columns.names.truncate(1);
    for cells in &mut low.tables[0].cells {
        cells.truncate(1);
    }
    assert!(!low.svg().unwrap().contains("0.25"));
}
