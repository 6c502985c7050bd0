//! The standard fuel models: the 13 of Anderson (1982) and the 40 of Scott and Burgan (2005).

use std::borrow::Cow;

/// Numbers of ground that never burns: urban, snow or ice, farmed, open water, bare (Scott and Burgan 2005).
pub const BARE: [u16; 5] = [91, 92, 93, 98, 99];
/// The numbers of all models and of bare ground, for messages.
pub(super) const FUELS: &str = "1 to 13, 101 to 109, 121 to 124, 141 to 149, 161 to 165, 181 to 189, 201 to 204, or 91, 92, 93, \
                                98, 99 for ground that never burns";
/// Pounds per square foot in a short ton per acre.
const TON_PER_ACRE: f64 = 2000.0 / 43_560.0;
/// Heat content of all models but one, in Btu per pound.
const HEAT: f64 = 8000.0;

/// A fuel model that burns, in the units of the tables: feet, pounds, Btu.
///
/// The particles of every model weigh 32 pounds per cubic foot and hold 5.55 % of minerals, 1 % without silica; 10-hour
/// fuel has a surface-to-volume ratio of 109, 100-hour fuel of 30 per foot.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::Fuel;
/// let grass = Fuel::of(1).unwrap();
/// assert_eq!((&*grass.code, grass.depth, grass.loads[0]), ("1", 1.0, 0.034));
/// assert!(Fuel::of(102).unwrap().dynamic);
/// assert!(Fuel::of(99).is_none(), "bare ground");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Fuel {
    /// Its number in fuel grids.
    pub number: u16,
    /// Its name in the tables.
    pub code: Cow<'static, str>,
    /// Depth of the fuel bed, in feet.
    pub depth: f64,
    /// Moisture of extinction of dead fuel, as a fraction.
    pub extinction: f64,
    /// Heat content of dead and of live fuel, in Btu per pound.
    pub heat: [f64; 2],
    /// Oven-dry loads of 1-hour, 10-hour, 100-hour, live herbaceous and live woody fuel, in pounds per square foot.
    pub loads: [f64; 5],
    /// Surface-to-volume ratios of 1-hour, live herbaceous and live woody fuel, per foot; 0 where the model has no such
    /// fuel.
    pub ratios: [f64; 3],
    /// Whether herbaceous fuel becomes dead fuel as it dries.
    pub dynamic: bool,
}

impl Fuel {
    /// The fuel model of a number, if it is one that burns.
    pub fn of(number: u16) -> Option<&'static Self> {
        TABLE.binary_search_by_key(&number, |fuel| fuel.number).ok().map(|place| &TABLE[place])
    }

    /// All fuel models that burn, by number.
    pub fn all() -> &'static [Self] {
        &TABLE
    }
}

/// Loads in pounds per square foot, as in every program of the BEHAVE family.
const fn anderson(
    number: u16,
    code: &'static str,
    depth: f64,
    extinction: f64,
    loads: [f64; 5],
    ratios: [f64; 3],
) -> Fuel {
    Fuel { number, code: Cow::Borrowed(code), depth, extinction, heat: [HEAT; 2], loads, ratios, dynamic: false }
}

/// Loads in tons per acre, as published. A model is dynamic where it has herbaceous fuel.
const fn scott_burgan(
    number: u16,
    code: &'static str,
    depth: f64,
    extinction: f64,
    tons: [f64; 5],
    ratios: [f64; 3],
) -> Fuel {
    let (loads, dynamic) = (of_tons(tons), tons[3] > 0.0);
    // Only GR6 has another heat content.
    let heat = if number == 106 { 9000.0 } else { HEAT };
    Fuel { number, code: Cow::Borrowed(code), depth, extinction, heat: [heat; 2], loads, ratios, dynamic }
}

/// Pounds per square foot of short tons per acre.
pub(super) const fn of_tons([one, ten, hundred, herb, woody]: [f64; 5]) -> [f64; 5] {
    [one * TON_PER_ACRE, ten * TON_PER_ACRE, hundred * TON_PER_ACRE, herb * TON_PER_ACRE, woody * TON_PER_ACRE]
}

/// By number: name, depth, moisture of extinction, loads, ratios.
#[rustfmt::skip]
static TABLE: [Fuel; 53] = [
    anderson(1, "1", 1.0, 0.12, [0.034, 0.0, 0.0, 0.0, 0.0], [3500.0, 0.0, 0.0]),
    anderson(2, "2", 1.0, 0.15, [0.092, 0.046, 0.023, 0.023, 0.0], [3000.0, 1500.0, 0.0]),
    anderson(3, "3", 2.5, 0.25, [0.138, 0.0, 0.0, 0.0, 0.0], [1500.0, 0.0, 0.0]),
    anderson(4, "4", 6.0, 0.2, [0.23, 0.184, 0.092, 0.0, 0.23], [2000.0, 0.0, 1500.0]),
    anderson(5, "5", 2.0, 0.2, [0.046, 0.023, 0.0, 0.0, 0.092], [2000.0, 0.0, 1500.0]),
    anderson(6, "6", 2.5, 0.25, [0.069, 0.115, 0.092, 0.0, 0.0], [1750.0, 0.0, 0.0]),
    anderson(7, "7", 2.5, 0.4, [0.052, 0.086, 0.069, 0.0, 0.017], [1750.0, 0.0, 1500.0]),
    anderson(8, "8", 0.2, 0.3, [0.069, 0.046, 0.115, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    anderson(9, "9", 0.2, 0.25, [0.134, 0.019, 0.007, 0.0, 0.0], [2500.0, 0.0, 0.0]),
    anderson(10, "10", 1.0, 0.25, [0.138, 0.092, 0.23, 0.0, 0.092], [2000.0, 0.0, 1500.0]),
    anderson(11, "11", 1.0, 0.15, [0.069, 0.207, 0.253, 0.0, 0.0], [1500.0, 0.0, 0.0]),
    anderson(12, "12", 2.3, 0.2, [0.184, 0.644, 0.759, 0.0, 0.0], [1500.0, 0.0, 0.0]),
    anderson(13, "13", 3.0, 0.25, [0.322, 1.058, 1.288, 0.0, 0.0], [1500.0, 0.0, 0.0]),
    scott_burgan(101, "GR1", 0.4, 0.15, [0.1, 0.0, 0.0, 0.3, 0.0], [2200.0, 2000.0, 0.0]),
    scott_burgan(102, "GR2", 1.0, 0.15, [0.1, 0.0, 0.0, 1.0, 0.0], [2000.0, 1800.0, 0.0]),
    scott_burgan(103, "GR3", 2.0, 0.3, [0.1, 0.4, 0.0, 1.5, 0.0], [1500.0, 1300.0, 0.0]),
    scott_burgan(104, "GR4", 2.0, 0.15, [0.25, 0.0, 0.0, 1.9, 0.0], [2000.0, 1800.0, 0.0]),
    scott_burgan(105, "GR5", 1.5, 0.4, [0.4, 0.0, 0.0, 2.5, 0.0], [1800.0, 1600.0, 0.0]),
    scott_burgan(106, "GR6", 1.5, 0.4, [0.1, 0.0, 0.0, 3.4, 0.0], [2200.0, 2000.0, 0.0]),
    scott_burgan(107, "GR7", 3.0, 0.15, [1.0, 0.0, 0.0, 5.4, 0.0], [2000.0, 1800.0, 0.0]),
    scott_burgan(108, "GR8", 4.0, 0.3, [0.5, 1.0, 0.0, 7.3, 0.0], [1500.0, 1300.0, 0.0]),
    scott_burgan(109, "GR9", 5.0, 0.4, [1.0, 1.0, 0.0, 9.0, 0.0], [1800.0, 1600.0, 0.0]),
    scott_burgan(121, "GS1", 0.9, 0.15, [0.2, 0.0, 0.0, 0.5, 0.65], [2000.0, 1800.0, 1800.0]),
    scott_burgan(122, "GS2", 1.5, 0.15, [0.5, 0.5, 0.0, 0.6, 1.0], [2000.0, 1800.0, 1800.0]),
    scott_burgan(123, "GS3", 1.8, 0.4, [0.3, 0.25, 0.0, 1.45, 1.25], [1800.0, 1600.0, 1600.0]),
    scott_burgan(124, "GS4", 2.1, 0.4, [1.9, 0.3, 0.1, 3.4, 7.1], [1800.0, 1600.0, 1600.0]),
    scott_burgan(141, "SH1", 1.0, 0.15, [0.25, 0.25, 0.0, 0.15, 1.3], [2000.0, 1800.0, 1600.0]),
    scott_burgan(142, "SH2", 1.0, 0.15, [1.35, 2.4, 0.75, 0.0, 3.85], [2000.0, 0.0, 1600.0]),
    scott_burgan(143, "SH3", 2.4, 0.4, [0.45, 3.0, 0.0, 0.0, 6.2], [1600.0, 0.0, 1400.0]),
    scott_burgan(144, "SH4", 3.0, 0.3, [0.85, 1.15, 0.2, 0.0, 2.55], [2000.0, 0.0, 1600.0]),
    scott_burgan(145, "SH5", 6.0, 0.15, [3.6, 2.1, 0.0, 0.0, 2.9], [750.0, 0.0, 1600.0]),
    scott_burgan(146, "SH6", 2.0, 0.3, [2.9, 1.45, 0.0, 0.0, 1.4], [750.0, 0.0, 1600.0]),
    scott_burgan(147, "SH7", 6.0, 0.15, [3.5, 5.3, 2.2, 0.0, 3.4], [750.0, 0.0, 1600.0]),
    scott_burgan(148, "SH8", 3.0, 0.4, [2.05, 3.4, 0.85, 0.0, 4.35], [750.0, 0.0, 1600.0]),
    scott_burgan(149, "SH9", 4.4, 0.4, [4.5, 2.45, 0.0, 1.55, 7.0], [750.0, 1800.0, 1500.0]),
    scott_burgan(161, "TU1", 0.6, 0.2, [0.2, 0.9, 1.5, 0.2, 0.9], [2000.0, 1800.0, 1600.0]),
    scott_burgan(162, "TU2", 1.0, 0.3, [0.95, 1.8, 1.25, 0.0, 0.2], [2000.0, 0.0, 1600.0]),
    scott_burgan(163, "TU3", 1.3, 0.3, [1.1, 0.15, 0.25, 0.65, 1.1], [1800.0, 1600.0, 1400.0]),
    scott_burgan(164, "TU4", 0.5, 0.12, [4.5, 0.0, 0.0, 0.0, 2.0], [2300.0, 0.0, 2000.0]),
    scott_burgan(165, "TU5", 1.0, 0.25, [4.0, 4.0, 3.0, 0.0, 3.0], [1500.0, 0.0, 750.0]),
    scott_burgan(181, "TL1", 0.2, 0.3, [1.0, 2.2, 3.6, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(182, "TL2", 0.2, 0.25, [1.4, 2.3, 2.2, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(183, "TL3", 0.3, 0.2, [0.5, 2.2, 2.8, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(184, "TL4", 0.4, 0.25, [0.5, 1.5, 4.2, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(185, "TL5", 0.6, 0.25, [1.15, 2.5, 4.4, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(186, "TL6", 0.3, 0.25, [2.4, 1.2, 1.2, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(187, "TL7", 0.4, 0.25, [0.3, 1.4, 8.1, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(188, "TL8", 0.3, 0.35, [5.8, 1.4, 1.1, 0.0, 0.0], [1800.0, 0.0, 0.0]),
    scott_burgan(189, "TL9", 0.6, 0.35, [6.65, 3.3, 4.15, 0.0, 0.0], [1800.0, 0.0, 0.0]),
    scott_burgan(201, "SB1", 1.0, 0.25, [1.5, 3.0, 11.0, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(202, "SB2", 1.0, 0.25, [4.5, 4.25, 4.0, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(203, "SB3", 1.2, 0.25, [5.5, 2.75, 3.0, 0.0, 0.0], [2000.0, 0.0, 0.0]),
    scott_burgan(204, "SB4", 2.7, 0.25, [5.25, 3.5, 5.25, 0.0, 0.0], [2000.0, 0.0, 0.0]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_whole() {
        assert!(TABLE.windows(2).all(|pair| pair[0].number < pair[1].number));
        let numbers = [1..=13, 101..=109, 121..=124, 141..=149, 161..=165, 181..=189, 201..=204];
        let numbers: Vec<u16> = numbers.into_iter().flatten().collect();
        assert_eq!(TABLE.iter().map(|fuel| fuel.number).collect::<Vec<_>>(), numbers);
        assert!(BARE.iter().all(|&number| Fuel::of(number).is_none()));
    }

    #[test]
    fn dynamic_models_are_the_published_ones() {
        // RMRS-GTR-153, table 7: type "dynamic".
        let dynamic: Vec<_> = TABLE.iter().filter(|fuel| fuel.dynamic).map(|fuel| &*fuel.code).collect();
        let published = [
            "GR1", "GR2", "GR3", "GR4", "GR5", "GR6", "GR7", "GR8", "GR9", "GS1", "GS2", "GS3", "GS4", "SH1", "SH9",
            "TU1", "TU3",
        ];
        assert_eq!(dynamic, published);
    }

    #[test]
    fn every_load_has_a_ratio() {
        for fuel in &TABLE {
            let [one, _, _, herb, woody] = fuel.loads;
            for (load, ratio) in [one, herb, woody].into_iter().zip(fuel.ratios) {
                assert_eq!(load > 0.0, ratio > 0.0, "{}", fuel.code);
            }
            assert!(fuel.depth > 0.0 && fuel.extinction > 0.0 && fuel.loads[0] > 0.0, "{}", fuel.code);
        }
    }
}
