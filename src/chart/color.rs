//! Colours of curves.

use crate::plot::{Color, Stroke, mixed};

pub const DARK: Color = (0x33, 0x33, 0x33);
pub const GREY: Color = (0x8a, 0x8a, 0x8a);
pub const LIGHT: Color = (0xd8, 0xd8, 0xd8);

pub const BLUE: Color = (0x00, 0x72, 0xb2);
pub const ORANGE: Color = (0xd5, 0x5e, 0x00);

/// Colours that everyone can distinguish (Okabe & Ito 2008).
const PALETTE: [Color; 6] = [
    BLUE,
    ORANGE,
    (0x00, 0x9e, 0x73),
    (0xcc, 0x79, 0xa7),
    (0x56, 0xb4, 0xe9),
    (0xe6, 0x9f, 0x00),
];

/// Colours from low to high, in equal steps, that everyone can distinguish (viridis, van der Walt &
/// Smith 2015); without the lightest ones, which are hard to see on white.
pub const SCALE: [Color; 8] = [
    (68, 1, 84),
    (71, 44, 122),
    (59, 81, 139),
    (44, 113, 142),
    (33, 144, 141),
    (39, 173, 129),
    (92, 200, 99),
    (170, 220, 50),
];

/// An unbroken line, and distinguishable dashes.
pub const DASHES: [Option<(u32, u32)>; 6] = [
    None,
    Some((9, 5)),
    Some((2, 4)),
    Some((16, 4)),
    Some((5, 9)),
    Some((2, 10)),
];

/// A stroke for each of these unordered names.
pub fn distinct(names: &[String]) -> Vec<Stroke> {
    let stroke = |(i, name): (usize, &String)| Stroke {
        name: name.clone(),
        color: PALETTE[i % PALETTE.len()],
        dash: DASHES[i / PALETTE.len() % DASHES.len()],
    };
    names.iter().enumerate().map(stroke).collect()
}

/// A stroke for each of these ordered names.
pub fn ordered(names: &[String]) -> Vec<Stroke> {
    let last = names.len().saturating_sub(1).max(1) as f64;
    let stroke = |(i, name): (usize, &String)| Stroke {
        name: name.clone(),
        color: mixed(&SCALE, i as f64 / last),
        dash: None,
    };
    names.iter().enumerate().map(stroke).collect()
}
