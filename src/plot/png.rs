use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tiny_skia::Pixmap;

/// A row with fewer bytes that differ from the row above is written as the difference.
/// Sixty made the smallest files of curves.
const FEW: usize = 60;

/// An opaque picture as a PNG file with eight bits for each of red, green and blue
/// (<https://www.w3.org/TR/png-3/>).
/// Errors: what writing to memory gives, which is nothing.
pub(super) fn encode(picture: &Pixmap) -> io::Result<Vec<u8>> {
    let width = picture.width() as usize;
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::new(6));
    let mut above = vec![0; 3 * width];
    let (mut row, mut difference) = (above.clone(), above.clone());
    for colors in picture.pixels().chunks_exact(width) {
        let mut differing = 0;
        for (x, color) in colors.iter().enumerate() {
            for (i, byte) in [color.red(), color.green(), color.blue()]
                .into_iter()
                .enumerate()
            {
                let at = 3 * x + i;
                row[at] = byte;
                difference[at] = byte.wrapping_sub(above[at]);
                differing += usize::from(difference[at] != 0);
            }
        }
        // The filters None and Up.
        let (filter, line) = match differing {
            ..FEW => (2, &difference),
            _ => (0, &row),
        };
        pixels.write_all(&[filter])?;
        pixels.write_all(line)?;
        std::mem::swap(&mut above, &mut row);
    }
    let size = [
        picture.width().to_be_bytes(),
        picture.height().to_be_bytes(),
    ]
    .concat();
    // Eight bits, colours without alpha, the one compression and the one filtering, no interlacing.
    let header = [&size[..], &[8, 2, 0, 0, 0]].concat();
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [
        (b"IHDR", header),
        (b"IDAT", pixels.finish()?),
        (b"IEND", Vec::new()),
    ] {
        let length = u32::try_from(data.len()).map_err(io::Error::other)?;
        let chunk = [&kind[..], &data].concat();
        file.extend(length.to_be_bytes());
        file.extend(&chunk);
        file.extend(crc32fast::hash(&chunk).to_be_bytes());
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;
    use tiny_skia::Color;

    use super::*;

    #[test]
    fn the_pixels_come_back() {
        // Rows of noise, and rows that differ little from the one above.
        let mut picture = Pixmap::new(100, 40).unwrap();
        picture.fill(Color::WHITE);
        for (i, byte) in (0_u32..).zip(picture.data_mut()[..40 * 400].iter_mut()) {
            if i % 4 < 3 && (i / 400) % 8 < 4 || i % 400 == 10 {
                *byte = (i.wrapping_mul(2_654_435_761) >> 24) as u8;
            }
        }
        let file = encode(&picture).unwrap();
        assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(file[16..24], [0, 0, 0, 100, 0, 0, 0, 40]);
        let mut lines = Vec::new();
        ZlibDecoder::new(&file[41..])
            .read_to_end(&mut lines)
            .unwrap();
        let mut above = vec![0; 300];
        let mut filters = [0; 3];
        for (line, pixels) in lines.chunks(301).zip(picture.pixels().chunks(100)) {
            filters[usize::from(line[0])] += 1;
            for (byte, above) in line[1..].iter().zip(&mut above) {
                *above = byte.wrapping_add(if line[0] == 2 { *above } else { 0 });
            }
            let row = pixels.iter().flat_map(|p| [p.red(), p.green(), p.blue()]);
            assert!(row.eq(above.iter().copied()));
        }
        assert!(filters[0] > 0 && filters[2] > 0);
    }
}
