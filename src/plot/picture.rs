use std::convert::Infallible;
use std::io;

use plotters::prelude::{IntoDrawingArea, SVGBackend, WHITE};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::pixels::Pixels;
use super::style::{Area, DrawResult};

/// Something that can be drawn. The same picture gives the same bytes on every machine.
pub trait Picture {
    /// Width and height in pixels of the SVG.
    fn size(&self) -> (u32, u32);

    /// Draws it on an area of its size. Errors: why it cannot be drawn.
    fn draw(&self, root: &Area) -> DrawResult;

    /// Draws it as SVG text.
    /// Errors: a sentence that says why it cannot be drawn.
    fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        let svg = SVGBackend::with_string(&mut text, self.size());
        draw_on(Ground::Svg(svg), &|root| self.draw(root))?;
        Ok(text)
    }

    /// Draws it as a PNG file, two pixels for each of the SVG and with the bundled font.
    /// Errors: a sentence that says why it cannot be drawn.
    fn png(&self) -> Result<Vec<u8>, String> {
        let mut pixels = Pixels::new(self.size())?;
        draw_on(Ground::Pixels(&mut pixels), &|root| self.draw(root))?;
        pixels.png()
    }
}

fn draw_on(ground: Ground, draw: &dyn Fn(&Area) -> DrawResult) -> Result<(), String> {
    let root = Canvas(ground).into_drawing_area();
    let drawn = || {
        root.fill(&WHITE)?;
        draw(&root)?;
        Ok(root.present()?)
    };
    drawn().map_err(|why: Box<dyn std::error::Error>| format!("drawing failed: {why}"))
}

/// What pictures are drawn on. It is one type for SVG and pixels, so that what draws is compiled once.
pub struct Canvas<'a>(Ground<'a>);

enum Ground<'a> {
    Svg(SVGBackend<'a>),
    Pixels(&'a mut Pixels),
}

type Drawn = Result<(), DrawingErrorKind<io::Error>>;

/// Draws on either ground alike.
macro_rules! on {
    ($canvas:expr, $ground:ident => $drawn:expr) => {
        match &mut $canvas.0 {
            Ground::Svg($ground) => $drawn,
            Ground::Pixels($ground) => $drawn.map_err(of_pixels),
        }
    };
}

fn of_pixels(error: DrawingErrorKind<Infallible>) -> DrawingErrorKind<io::Error> {
    match error {
        DrawingErrorKind::DrawingError(never) => match never {},
        DrawingErrorKind::FontError(why) => DrawingErrorKind::FontError(why),
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        match &self.0 {
            Ground::Svg(svg) => svg.get_size(),
            Ground::Pixels(pixels) => pixels.get_size(),
        }
    }

    fn ensure_prepared(&mut self) -> Drawn {
        on!(self, ground => ground.ensure_prepared())
    }

    fn present(&mut self) -> Drawn {
        on!(self, ground => ground.present())
    }

    fn draw_pixel(&mut self, place: BackendCoord, color: BackendColor) -> Drawn {
        on!(self, ground => ground.draw_pixel(place, color))
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        on!(self, ground => ground.draw_line(from, to, style))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        lower_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        on!(self, ground => ground.draw_rect(upper_left, lower_right, style, fill))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let path: &mut dyn Iterator<Item = BackendCoord> = &mut path.into_iter();
        on!(self, ground => ground.draw_path(path, style))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        on!(self, ground => ground.draw_circle(center, radius, style, fill))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        on!(self, ground => ground.fill_polygon(corners, style))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        place: BackendCoord,
    ) -> Drawn {
        on!(self, ground => ground.draw_text(text, style, place))
    }
}
