use plotters::prelude::{IntoDrawingArea, SVGBackend, WHITE};

use super::pixels::Pixels;
use super::style::{Area, Canvas, DrawResult};

/// Something that can be drawn. The same picture gives the same bytes on every machine.
pub trait Picture {
    /// Width and height in pixels of the SVG.
    fn size(&self) -> (u32, u32);

    /// Draws it on an area of its size. Errors: why it cannot be drawn.
    fn draw<C: Canvas>(&self, root: &Area<C>) -> DrawResult;

    /// Draws it as SVG text.
    /// Errors: a sentence that says why it cannot be drawn.
    fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        draw_on(SVGBackend::with_string(&mut text, self.size()), self)?;
        Ok(text)
    }

    /// Draws it as a PNG file, two pixels for each of the SVG and with the bundled font.
    /// Errors: a sentence that says why it cannot be drawn.
    fn png(&self) -> Result<Vec<u8>, String> {
        let mut pixels = Pixels::new(self.size())?;
        draw_on(&mut pixels, self)?;
        pixels.png()
    }
}

fn draw_on(canvas: impl Canvas, picture: &(impl Picture + ?Sized)) -> Result<(), String> {
    let root = canvas.into_drawing_area();
    let draw = || {
        root.fill(&WHITE)?;
        picture.draw(&root)?;
        Ok(root.present()?)
    };
    draw().map_err(|why: Box<dyn std::error::Error>| format!("drawing failed: {why}"))
}
