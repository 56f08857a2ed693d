//! Drawing in pixels, to look like the SVG text from the same calls.

use std::io;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The name of the program in its pictures.
pub(super) const SOFTWARE: &str = "playlab";

/// The ratio of a font's size to the pixels that it stands for, by which plotters' SVG divides.
pub(super) const FONT_UNIT: f64 = 1.24;

/// Pixels per pixel of the SVG, for sharp print.
const SCALE: u32 = 2;

/// A picture in pixels. plotters draws on `&mut Pixels`.
pub struct Pixels {
    pixmap: Pixmap,
    font: Face<'static>,
}

impl Pixels {
    /// A picture of this size in pixels of the SVG. Errors: a sentence if it is too large.
    pub(super) fn new((width, height): (u32, u32)) -> Result<Pixels, String> {
        let pixmap = match (width.checked_mul(SCALE), height.checked_mul(SCALE)) {
            (Some(width), Some(height)) => Pixmap::new(width, height),
            _ => None,
        };
        let font = Face::parse(dejavu::sans::regular(), 0);
        Ok(Pixels {
            pixmap: pixmap
                .ok_or_else(|| format!("{width} x {height} pixels are no size for a picture"))?,
            font: font.map_err(|why| format!("the bundled font cannot be read: {why}"))?,
        })
    }

    /// The picture as a PNG file. Errors: a sentence if it cannot be written.
    pub(super) fn png(&self) -> Result<Vec<u8>, String> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.pixmap.width(), self.pixmap.height());
        // Every pixel is opaque, so the pixmap's premultiplied colors are those that PNG wants. Leaving out the alpha
        // would take longer than it saves.
        encoder.set_color(png::ColorType::Rgba);
        // Pictures are drawn far more often than they are sent: this takes a fifth of the time of
        // the usual setting, for files that are some three fifths larger.
        encoder.set_deflate_compression(png::DeflateCompression::Level(1));
        encoder.set_filter(png::Filter::Up);
        let marked = encoder.add_text_chunk("Software".to_owned(), SOFTWARE.to_owned());
        let written = marked
            .and_then(|()| encoder.write_header())
            .and_then(|mut writer| {
                writer.write_image_data(self.pixmap.data())?;
                writer.finish()
            });
        match written {
            Ok(()) => Ok(file),
            Err(why) => Err(format!("the picture cannot be written as PNG: {why}")),
        }
    }

    fn fill(&mut self, path: PathBuilder, color: BackendColor, place: Transform) -> Drawn {
        self.fill_with(path, &paint(color), place)
    }

    fn fill_with(&mut self, path: PathBuilder, paint: &Paint<'_>, place: Transform) -> Drawn {
        if let Some(path) = path.finish() {
            let rule = FillRule::Winding;
            self.pixmap
                .fill_path(&path, paint, rule, scaled(place), None);
        }
        Ok(())
    }

    fn stroke(&mut self, path: PathBuilder, color: BackendColor, width: u32) -> Drawn {
        if let Some(path) = path.finish() {
            let stroke = Stroke {
                width: width as f32,
                ..Stroke::default()
            };
            let place = scaled(Transform::identity());
            self.pixmap
                .stroke_path(&path, &paint(color), &stroke, place, None);
        }
        Ok(())
    }
}

/// Drawing never fails; the errors have the type of those of SVG, which may be a file.
pub(super) type Drawn = Result<(), DrawingErrorKind<io::Error>>;

impl DrawingBackend for &mut Pixels {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        (width / SCALE, height / SCALE)
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let mut path = PathBuilder::new();
        let [left, top, right, bottom] = [left, top, right, bottom].map(|at| at as f32);
        if let Some(rect) = Rect::from_ltrb(left, top, right, bottom) {
            path.push_rect(rect);
        }
        if !fill {
            return self.stroke(path, style.color(), 1);
        }
        // The edges lie between pixels, so there is nothing to smooth, which takes long for the background.
        let mut paint = paint(style.color());
        paint.anti_alias = false;
        self.fill_with(path, &paint, Transform::identity())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.stroke(lines(path), style.color(), style.stroke_width())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let mut path = PathBuilder::new();
        path.push_circle(x as f32, y as f32, radius as f32);
        if fill {
            self.fill(path, style.color(), Transform::identity())
        } else {
            self.stroke(path, style.color(), style.stroke_width())
        }
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Drawn {
        let mut path = lines(corners);
        path.close();
        self.fill(path, style.color(), Transform::identity())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Drawn {
        let line = Line::of(text, &self.font);
        let units = f32::from(self.font.units_per_em());
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -line.width / 2.0,
            HPos::Right => -line.width,
        };
        // The base lines are where SVG has them: at 0.76em, 0.5ex and -0.5ex, where an ex is half an em.
        let base = units
            * match style.anchor().v_pos {
                VPos::Top => 0.76,
                VPos::Center => 0.25,
                VPos::Bottom => -0.25,
            };
        let turn = style.transform();
        let ((a, b), (c, d)) = (turn.transform(1, 0), turn.transform(0, 1));
        let scale = (style.size() / FONT_UNIT) as f32 / units;
        let place = Transform::from_translate(x as f32, y as f32)
            .pre_concat(Transform::from_row(
                a as f32, b as f32, c as f32, d as f32, 0.0, 0.0,
            ))
            .pre_scale(scale, scale)
            .pre_translate(left, base)
            .pre_scale(1.0, -1.0);
        self.fill(line.outlines, style.color(), place)
    }
}

fn paint(BackendColor { alpha, rgb }: BackendColor) -> Paint<'static> {
    let mut paint = Paint::default();
    let alpha = (alpha * 255.0).round() as u8;
    paint.set_color(Color::from_rgba8(rgb.0, rgb.1, rgb.2, alpha));
    paint
}

fn scaled(place: Transform) -> Transform {
    place.post_scale(SCALE as f32, SCALE as f32)
}

fn lines(points: impl IntoIterator<Item = BackendCoord>) -> PathBuilder {
    let mut path = PathBuilder::new();
    for (x, y) in points {
        let (x, y) = (x as f32, y as f32);
        if path.is_empty() {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    path
}

/// A line of text in units of the font, from (0, 0) to the right; y points upwards.
struct Line {
    outlines: PathBuilder,
    /// The place where the next letter would begin.
    width: f32,
}

impl Line {
    fn of(text: &str, font: &Face<'_>) -> Line {
        let mut line = Line {
            outlines: PathBuilder::new(),
            width: 0.0,
        };
        let mut last = None;
        for letter in text.chars() {
            // A letter that is not in the font becomes its first glyph, an empty box.
            let glyph = font.glyph_index(letter).unwrap_or_default();
            line.width += last.map_or(0.0, |last| kerning(font, last, glyph));
            font.outline_glyph(glyph, &mut line);
            line.width += f32::from(font.glyph_hor_advance(glyph).unwrap_or_default());
            last = Some(glyph);
        }
        line
    }
}

/// How much closer than usual two letters are, as a negative number.
fn kerning(font: &Face<'_>, left: GlyphId, right: GlyphId) -> f32 {
    let tables = font.tables().kern.iter().flat_map(|kern| kern.subtables);
    let pairs = tables
        .filter(|table| table.horizontal)
        .filter_map(|table| table.glyphs_kerning(left, right));
    pairs.map(f32::from).sum()
}

impl OutlineBuilder for Line {
    fn move_to(&mut self, x: f32, y: f32) {
        self.outlines.move_to(self.width + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.outlines.line_to(self.width + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let left = self.width;
        self.outlines.quad_to(left + x1, y1, left + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let left = self.width;
        self.outlines
            .cubic_to(left + x1, y1, left + x2, y2, left + x, y);
    }

    fn close(&mut self) {
        self.outlines.close();
    }
}

#[cfg(test)]
mod tests {
    use plotters::style::BLACK;
    use plotters_backend::DrawingBackend;

    use super::Pixels;

    #[test]
    fn a_picture_too_large_is_an_error() {
        assert!(Pixels::new((u32::MAX, 1)).is_err());
        assert!(Pixels::new((1 << 30, 1 << 30)).is_err());
    }

    #[test]
    fn a_rectangle_covers_its_pixels_and_nothing_if_it_has_no_area() {
        for (right, covered) in [(3, 0), (5, 4 * 12)] {
            let mut pixels = Pixels::new((10, 10)).unwrap();
            let corner = (right, 9);
            (&mut pixels)
                .draw_rect((3, 3), corner, &BLACK, true)
                .unwrap();
            let drawn = pixels.pixmap.pixels().iter();
            let [opaque, clear] = [255, 0].map(|alpha| {
                let is_so = |pixel: &&tiny_skia::PremultipliedColorU8| pixel.alpha() == alpha;
                drawn.clone().filter(is_so).count()
            });
            assert_eq!((opaque, clear), (covered, 400 - covered));
        }
    }
}
