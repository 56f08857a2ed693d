//! Pictures.

use playlab::plot::{Figure, Panel, Picture};

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
    let good = Picture::from(figure(1.0));
    assert!(good.svg().is_ok() && good.png().is_ok());
    for x_max in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let bad = Picture::from(figure(x_max));
        let why = bad.svg().unwrap_err();
        assert!(why.starts_with("drawing failed: \"X\" has a horizontal axis"));
        assert_eq!(bad.png(), Err(why));
    }
}
