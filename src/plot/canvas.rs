use plotters::prelude::SVGBackend;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend,
};

use super::pixels::{Drawn, Pixels};

/// The surface on which pictures are drawn. It is one type for SVG and pixels, so that drawing code is compiled once.
pub enum Canvas<'a> {
    /// The text of an SVG.
    Svg(SVGBackend<'a>),
    /// The pixels of a PNG.
    Pixels(&'a mut Pixels),
}

/// Draws on both in the same way.
macro_rules! on {
    ($canvas:expr, $on:ident => $drawn:expr) => {
        match $canvas {
            Canvas::Svg($on) => $drawn,
            Canvas::Pixels($on) => $drawn,
        }
    };
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = std::io::Error;

    fn get_size(&self) -> (u32, u32) {
        on!(self, on => on.get_size())
    }

    fn ensure_prepared(&mut self) -> Drawn {
        on!(self, on => on.ensure_prepared())
    }

    fn present(&mut self) -> Drawn {
        on!(self, on => on.present())
    }

    fn draw_pixel(&mut self, place: BackendCoord, color: BackendColor) -> Drawn {
        on!(self, on => on.draw_pixel(place, color))
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        on!(self, on => on.draw_line(from, to, style))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        lower_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        on!(self, on => on.draw_rect(upper_left, lower_right, style, fill))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        // plotters calls this with many types of paths.
        let path: &mut dyn Iterator<Item = BackendCoord> = &mut path.into_iter();
        on!(self, on => on.draw_path(path, style))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        on!(self, on => on.draw_circle(center, radius, style, fill))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        on!(self, on => on.fill_polygon(corners, style))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        place: BackendCoord,
    ) -> Drawn {
        on!(self, on => on.draw_text(text, style, place))
    }
}
