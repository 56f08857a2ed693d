use plotters::prelude::{IntoDrawingArea, SVGBackend, WHITE};

use super::canvas::Canvas;
use super::pixels::{Pixels, SOFTWARE};
use super::style::{Area, DrawResult, FONT};

/// Something that can be drawn. The same picture gives the same bytes on every machine.
pub trait Picture {
    /// The width and height in pixels of the SVG.
    fn size(&self) -> (u32, u32);

    /// Draws it on an area of its size. Errors: why it cannot be drawn.
    fn draw(&self, root: &Area) -> DrawResult;

    /// Draws it as SVG text.
    /// Errors: a sentence that says why it cannot be drawn.
    fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        let svg = SVGBackend::with_string(&mut text, self.size());
        draw_on(Canvas::Svg(svg), &|root| self.draw(root))?;
        Ok(text)
    }

    /// Draws it as a PNG file, with two pixels for each pixel of the SVG and with the bundled font.
    /// Errors: a sentence that says why it cannot be drawn.
    fn png(&self) -> Result<Vec<u8>, String> {
        let mut pixels = Pixels::new(self.size())?;
        draw_on(Canvas::Pixels(&mut pixels), &|root| self.draw(root))?;
        pixels.png()
    }
}

/// The number of bytes that [`is_picture`] looks at.
pub const PICTURE_HEAD: usize = 512;

/// Whether a file that begins like this is a picture drawn by this program.
pub fn is_picture(head: &[u8]) -> bool {
    let has = |mark: &str| head.windows(mark.len()).any(|part| part == mark.as_bytes());
    match head.starts_with(b"<svg ") {
        true => has(FONT),
        false => head.starts_with(b"\x89PNG") && has(SOFTWARE),
    }
}

fn draw_on(canvas: Canvas, draw: &dyn Fn(&Area) -> DrawResult) -> Result<(), String> {
    let root = canvas.into_drawing_area();
    let drawn = || {
        root.fill(&WHITE)?;
        draw(&root)?;
        Ok(root.present()?)
    };
    drawn().map_err(|why: Box<dyn std::error::Error>| format!("drawing failed: {why}"))
}
