//! The picture of the ground: the colour of its fuel, in the light that falls on its slope.

use super::sheet::Window;
use crate::Landscape;

/// Fuels of one appearance: their name in the tables; the numbers of their models; their colour.
type Group = (&'static str, &'static [std::ops::RangeInclusive<u16>], [u8; 3]);
const GROUPS: [Group; 13] = [
    ("grass", &[1..=3, 101..=109], [226, 219, 160]),
    ("grass and shrub", &[121..=124], [203, 202, 130]),
    ("shrub", &[4..=7, 141..=149], [170, 186, 116]),
    ("timber with understory", &[161..=165], [124, 164, 104]),
    ("timber litter", &[8..=10, 181..=189], [96, 143, 98]),
    ("slash", &[11..=13, 201..=204], [178, 146, 116]),
    ("urban", &[91..=91], [150, 150, 155]),
    ("snow or ice", &[92..=92], [240, 244, 250]),
    ("farmed", &[93..=93], [208, 194, 158]),
    ("water", &[98..=98], [122, 168, 208]),
    ("bare", &[99..=99], [188, 180, 172]),
    (NO_FUEL, &[0..=0], [255, 255, 255]),
    ("other fuels", &[0..=u16::MAX], [190, 200, 150]),
];
/// Cells without a value, and cells that fire is kept out of: they lie in no light.
const NO_FUEL: &str = "no data, or kept out";
/// Toward east, north and up: the light comes from the north-west, as on maps.
const LIGHT: [f64; 3] = [-0.5, 0.5, std::f64::consts::FRAC_1_SQRT_2];
/// The factor by which slopes are exaggerated.
const STEEPER: f64 = 1.6;
/// The brightness of ground in the shadow, and of ground that faces the light.
const BRIGHTNESS: [f64; 2] = [0.45, 1.2];

/// A mixture of two colours.
pub(super) fn mix(a: [u8; 3], b: [u8; 3], share: f64) -> [u8; 3] {
    std::array::from_fn(|n| (f64::from(a[n]) + (f64::from(b[n]) - f64::from(a[n])) * share).round() as u8)
}

/// A colour in the light that falls on ground which rises so much toward east and north.
pub(super) fn lit(gradient: [f64; 2], colour: [u8; 3]) -> [u8; 3] {
    let [east, north] = gradient.map(|along| along * STEEPER);
    let length = (east * east + north * north + 1.0).sqrt();
    let falls = ((LIGHT[2] - LIGHT[0] * east - LIGHT[1] * north) / length).max(0.0);
    let [least, most] = BRIGHTNESS;
    let brightness = least + (most - least) * falls;
    colour.map(|channel| (f64::from(channel) * brightness).round().min(255.0) as u8)
}

/// All groups with their colours.
pub(super) fn groups() -> Vec<(&'static str, [u8; 3])> {
    GROUPS.iter().map(|&(name, _, colour)| (name, colour)).collect()
}

/// The ground under a map.
pub(super) struct Ground<'a> {
    landscape: &'a Landscape,
    columns: usize,
    rows: usize,
}

impl<'a> Ground<'a> {
    pub(super) fn new(landscape: &'a Landscape) -> Self {
        let frame = landscape.frame();
        Self { landscape, columns: frame.columns as usize, rows: frame.rows as usize }
    }

    /// The cell at a place, in cells from the north-west.
    pub(super) fn cell(&self, [x, y]: [f64; 2]) -> usize {
        (x as usize).min(self.columns - 1) + self.columns * (y as usize).min(self.rows - 1)
    }

    fn group(&self, cell: usize) -> &'static Group {
        let number = self.landscape.fuels()[cell];
        let own = GROUPS.iter().find(|group| group.1.iter().any(|range| range.contains(&number)));
        own.unwrap_or(&GROUPS[GROUPS.len() - 1])
    }

    /// The names of the groups on a map.
    pub(super) fn used(&self, Window { first, size }: Window) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = vec![];
        let mut last = None;
        for row in (first[1] as usize..).take(size[1] as usize) {
            let begin = first[0] as usize + self.columns * row;
            for cell in begin..begin + size[0] as usize {
                let number = self.landscape.fuels()[cell];
                if last != Some(number) && !names.contains(&self.group(cell).0) {
                    names.push(self.group(cell).0);
                }
                last = Some(number);
            }
        }
        names
    }

    /// A colour in the light of a cell.
    pub(super) fn light(&self, cell: usize, colour: [u8; 3]) -> [u8; 3] {
        lit(self.landscape.gradients()[cell], colour)
    }

    /// The colour of the ground at a place.
    pub(super) fn shaded(&self, place: [f64; 2]) -> [u8; 3] {
        let cell = self.cell(place);
        let (name, _, colour) = *self.group(cell);
        if name == NO_FUEL { colour } else { self.light(cell, colour) }
    }
}
