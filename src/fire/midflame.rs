//! The wind at midflame height, from the wind at 20 feet over the vegetation.

use super::spread::FEET;

/// The least share of the space below the top of a canopy that crowns fill, and its least height in feet, where it shelters the ground
/// in BehavePlus (Andrews 2012).
const SHELTERING: [f64; 2] = [0.05, 6.0];

/// How a canopy and the depth of fuels make the wind at midflame height.
///
/// Under a canopy the share of the wind at 20 feet is 0.555 / (√(f H) ln((20 + 0.36 H) / (0.13 H))), where H is the height of the trees
/// in feet and f the share of the space below their tops that crowns fill (Albini and Baughman 1979). In the open it is
/// 1.83 / ln((20 + 0.36 d) / (0.13 d)), where d is the depth of the fuel in feet (Andrews 2012, RMRS-GTR-266, of the same source). It is
/// at most 1. The two programs differ in f, and in what is open.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::WindAdjustment;
/// // Fuel of one foot, under trees of 15 m that cover a tenth of the ground, or 60 % of it.
/// let of = |by: WindAdjustment| [0.1, 0.6].map(|cover| (1000.0 * by.share(1.0, cover, 15.0)).round() / 1000.0);
/// assert_eq!(of(WindAdjustment::FlamMap), [0.276, 0.113]);
/// assert_eq!(of(WindAdjustment::BehavePlus { crown_ratio: 0.5 }), [0.362, 0.141]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WindAdjustment {
    /// That of FARSITE and FlamMap: f is a third of π/4 of the canopy cover, and every canopy shelters (Finney 1998, RMRS-RP-4, equation
    /// 45; Finney 2006, RMRS-P-41).
    FlamMap,
    /// That of BehavePlus: f is a third of the canopy cover times the crown ratio, and what is below 0.05, or lower than 6 feet, is open
    /// (Andrews 2012, RMRS-GTR-266).
    BehavePlus {
        /// The length of crowns as a share of the height of the trees, from 0.1 to 1.
        crown_ratio: f64,
    },
}

impl WindAdjustment {
    /// The wind at midflame height as a share of the wind at 20 feet, from the depth of the fuel in feet, the share of the ground below
    /// crowns and their height in metres.
    pub fn share(self, depth: f64, cover: f64, height: f64) -> f64 {
        let height = height * FEET;
        let (filled, shelters) = match self {
            Self::FlamMap => (cover / 3.0 * std::f64::consts::FRAC_PI_4, cover > 0.0 && height > 0.0),
            Self::BehavePlus { crown_ratio } => {
                let filled = crown_ratio * cover / 3.0;
                (filled, filled >= SHELTERING[0] && height >= SHELTERING[1])
            }
        };
        let profile = |height: f64| libm::log((20.0 + 0.36 * height) / (0.13 * height));
        let share = if shelters { 0.555 / ((filled * height).sqrt() * profile(height)) } else { 1.83 / profile(depth) };
        share.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fuel, FuelBed, Laws, Weather, Wind};

    const BOTH: [WindAdjustment; 2] = [WindAdjustment::FlamMap, WindAdjustment::BehavePlus { crown_ratio: 0.8 }];

    /// Table 1 of Andrews (2012) has 0.36 for short grass, 0.44 for tall grass and 0.55 for chaparral.
    #[test]
    fn open_ground_has_the_published_shares() {
        for by in BOTH {
            let of = |fuel: u16| (100.0 * by.share(Fuel::of(fuel).unwrap().depth, 0.0, 10.0)).round() / 100.0;
            assert_eq!([1, 3, 4].map(of), [0.36, 0.44, 0.55], "{by:?}");
        }
    }

    /// In BehavePlus crowns that are low, short or far apart shelter nothing; in FlamMap all do, down to where there are none.
    #[test]
    fn what_is_open_differs() {
        let [flammap, whole] = [WindAdjustment::FlamMap, WindAdjustment::BehavePlus { crown_ratio: 1.0 }];
        let open = whole.share(1.0, 0.0, 0.0);
        for (cover, height) in [(0.14, 30.0), (0.9, 1.8), (0.0, 30.0), (0.9, 0.0)] {
            assert_eq!(whole.share(1.0, cover, height), open, "{cover} {height}");
            let sheltered = flammap.share(1.0, cover, height) != open;
            assert_eq!(sheltered, cover > 0.0 && height > 0.0, "{cover} {height}");
        }
        assert_eq!(WindAdjustment::BehavePlus { crown_ratio: 0.1 }.share(1.0, 1.0, 30.0), open);
        assert!(whole.share(1.0, 0.16, 30.0) < open);
        assert_eq!(flammap.share(1.0, 0.01, 0.01), 1.0, "trees of a centimetre");
    }

    /// By hand: 40 % below crowns of 20 m: H = 65.617 ft, ln(43.622 / 8.5302) = 1.6319; whole crowns f = 0.1333, 0.555 / (2.9579 * 1.6319)
    /// = 0.1150; crowns of half the height by √2 more; FlamMap f = 0.10472, 0.555 / (2.6213 * 1.6319) = 0.1297.
    #[test]
    fn a_forest_shelters() {
        let of = |by: WindAdjustment| by.share(1.0, 0.4, 20.0);
        let [whole, half] = [1.0, 0.5].map(|crown_ratio| of(WindAdjustment::BehavePlus { crown_ratio }));
        for (found, expected) in [(whole, 0.1150), (half, 0.1626), (of(WindAdjustment::FlamMap), 0.1297)] {
            assert!((found - expected).abs() < 5e-5, "{found} {expected}");
        }
    }

    /// A wind of 30 km/h over TU5 and GR2 at the usual moisture, below 60 and 10 % of cover by trees of 15 m: FlamMap's rates, in metres per
    /// minute.
    #[test]
    fn rates_below_trees_are_those_of_flammap() {
        let row = Weather::still().rows()[0];
        for (fuel, cover, height, expected) in [(165, 0.6, 15.0, 1.3188), (102, 0.1, 15.0, 12.1129)] {
            let fuel = Fuel::of(fuel).unwrap();
            let share = WindAdjustment::FlamMap.share(fuel.depth, cover, height);
            let wind = Wind { toward: [share * 30.0 / 0.06, 0.0], adjustment: share };
            let rate = FuelBed::new(fuel, &row.moisture).spread(wind, [0.0; 2], Laws::default()).rate();
            assert!((rate / expected - 1.0).abs() < 3e-5, "{rate} {expected}");
        }
    }
}
