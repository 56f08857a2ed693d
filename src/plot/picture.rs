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
    /// Errors: a sentence that says why it cannot be drawn.
    pub fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        self.draw(SVGBackend::with_string(&mut text, self.size()))?;
        Ok(text)
    }

    /// Draws it as a PNG file, two pixels for each of the SVG and with the bundled font.
    /// Errors: a sentence that says why it cannot be drawn.
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
