use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels in the picture per pixel of the SVG, for sharp print.
const SCALE: f32 = 2.0;

/// Turns SVG text into a PNG picture, with the bundled font only: the same
/// text gives the same bytes on every machine.
///
/// # Errors
///
/// A sentence if the text is not SVG or has no area.
pub fn to_png(svg: &str) -> Result<Vec<u8>, String> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_source(fontdb::Source::Binary(Arc::new(dejavu::sans::regular())));
    let options = Options {
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree
        .size()
        .to_int_size()
        .scale_by(SCALE)
        .ok_or("the picture has no area")?;
    let mut picture = Pixmap::new(size.width(), size.height()).ok_or("the picture has no area")?;
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut picture.as_mut(),
    );
    picture.encode_png().map_err(|error| error.to_string())
}
