//! Pictures with a pixel, or a square of pixels, for a cell; and the font of drawings.

use std::io::{self, Write};
use std::sync::OnceLock;

use plotters::style::{FontStyle, register_font};

/// Colours from low to high: from violet over green to yellow, in steps that look equal (viridis).
pub const COLOURS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];
/// The colour of a share from 0 to 1.
pub fn colour(share: f64) -> [u8; 3] {
    let along = share.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let first = (along as usize).min(COLOURS.len() - 2);
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * (along - first as f64)).round() as u8;
    std::array::from_fn(|channel| mix(COLOURS[first][channel], COLOURS[first + 1][channel]))
}

/// Registers a font for drawings, the same on every machine.
pub fn with_font() {
    static FONT: OnceLock<()> = OnceLock::new();
    FONT.get_or_init(|| {
        // The font is in this binary; a text that has none is an error of its own.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
    });
}

/// Writes a PNG of `columns` and `rows`.
pub fn write([columns, rows]: [u32; 2], pixels: impl Iterator<Item = [u8; 3]>, to: impl Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(to, columns, rows);
    encoder.set_color(png::ColorType::Rgb);
    // Neighbouring pixels are alike.
    encoder.set_filter(png::FilterType::Paeth);
    let mut writer = encoder.write_header()?;
    // Row after row: the picture of a large space is larger than the free memory.
    let mut rows = writer.stream_writer()?;
    let mut row = Vec::with_capacity(3 * columns as usize);
    for pixel in pixels {
        row.extend(pixel);
        if row.len() == 3 * columns as usize {
            rows.write_all(&row)?;
            row.clear();
        }
    }
    Ok(rows.finish()?)
}
