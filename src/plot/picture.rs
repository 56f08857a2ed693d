use plotters::prelude::{IntoDrawingArea, SVGBackend, WHITE};

use super::pixels::Pixels;
use super::style::Canvas;
use super::{Figure, Heatmap};

/// Something that can be drawn. The same picture gives the same bytes on every machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// Curves.
    Figure(Figure),
    /// A coloured table.
    Heatmap(Heatmap),
}

impl From<Figure> for Picture {
    fn from(figure: Figure) -> Picture {
        Picture::Figure(figure)
    }
}

impl From<Heatmap> for Picture {
    fn from(map: Heatmap) -> Picture {
        Picture::Heatmap(map)
    }
}

impl Picture {
    /// Draws it as SVG text.
    ///
    /// # Errors
    ///
    /// A sentence that says why it cannot be drawn.
    pub fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        self.draw(SVGBackend::with_string(&mut text, self.size()))?;
        Ok(text)
    }

    /// Draws it as a PNG file, two pixels for each of the SVG and with the bundled font.
    ///
    /// # Errors
    ///
    /// A sentence that says why it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        let mut pixels = Pixels::new(self.size())?;
        self.draw(&mut pixels)?;
        pixels.png()
    }

    /// Width and height in pixels of the SVG.
    fn size(&self) -> (u32, u32) {
        match self {
            Picture::Figure(figure) => figure.size(),
            Picture::Heatmap(map) => map.size(),
        }
    }

    fn draw(&self, canvas: impl Canvas) -> Result<(), String> {
        let root = canvas.into_drawing_area();
        let draw = || {
            root.fill(&WHITE)?;
            match self {
                Picture::Figure(figure) => figure.draw(&root)?,
                Picture::Heatmap(map) => map.draw(&root)?,
            }
            Ok(root.present()?)
        };
        draw().map_err(|why: Box<dyn std::error::Error>| format!("drawing failed: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Panel;

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
}
