//! The conditions of a fire in each cell: fuel, moisture, wind and slope, under one row of the weather.

use super::spread::FEET;
use super::{Fire, Fuel, FuelBed, Landscape, Laws, Spread, Weather, Wind};

/// The least share of the space below a canopy that crowns fill, and its least height in feet, where the canopy shelters the ground
/// (Andrews 2012).
const SHELTERING: [f64; 2] = [0.05, 6.0];

/// The cells of a landscape under a row of the weather.
pub(super) struct Conditions<'a> {
    landscape: &'a Landscape,
    weather: &'a Weather,
    row: usize,
    laws: Laws,
    /// Whether trees and fuels make the wind at midflame height.
    adjusts_wind: bool,
    /// The wind, unless each cell has its own.
    wind: Option<Wind>,
    /// The beds of all fuels by number; empty where each cell has its own moisture.
    beds: Vec<(u16, FuelBed)>,
}

impl<'a> Conditions<'a> {
    pub(super) fn new(fire: &'a Fire, row: usize) -> Self {
        let (landscape, weather) = (fire.landscape(), fire.weather());
        let moisture = &weather.rows()[row].moisture;
        let beds = if weather.has_moisture_of_cells(row) {
            vec![]
        } else {
            landscape.models().all().map(|fuel| (fuel.number, FuelBed::new(fuel, moisture))).collect()
        };
        let wind = (!weather.has_wind_of_cells(row)).then(|| weather.rows()[row].wind());
        Self { landscape, weather, row, laws: fire.laws(), adjusts_wind: fire.adjusts_wind(), wind, beds }
    }

    /// How a fire spreads in a cell, and the heat per area, in kilojoules per square metre; `None` where nothing burns.
    pub(super) fn at(&self, cell: usize) -> Option<(Spread, f64)> {
        let number = self.landscape.fuels()[cell];
        let gradient = self.landscape.gradients()[cell];
        let row = || self.weather.at(self.row, cell);
        let spread = |bed: &FuelBed, fuel: &Fuel| {
            let mut wind = self.wind.unwrap_or_else(|| row().wind());
            if self.adjusts_wind {
                let share = self.landscape.wind_adjustment(cell, fuel);
                wind = Wind { toward: wind.toward.map(|along| along * share), adjustment: wind.adjustment * share };
            }
            (bed.spread(wind, gradient, self.laws), bed.heat_per_area())
        };
        let fuel = self.landscape.models().of(number)?;
        match self.beds.binary_search_by_key(&number, |bed| bed.0) {
            Ok(place) => Some(spread(&self.beds[place].1, fuel)),
            Err(_) => Some(spread(&FuelBed::new(fuel, &row().moisture), fuel)),
        }
    }
}

/// The wind at midflame height as a share of the wind at 20 feet, from the depth of a fuel in feet, the share of the ground below
/// crowns and their height in metres (Albini and Baughman 1979, as in Andrews 2012 with crowns down to the ground).
pub(super) fn wind_adjustment(depth: f64, cover: f64, height: f64) -> f64 {
    let (filled, height) = (cover / 3.0, height * FEET);
    let profile = |height: f64| libm::log((20.0 + 0.36 * height) / (0.13 * height));
    if filled >= SHELTERING[0] && height >= SHELTERING[1] {
        0.555 / ((filled * height).sqrt() * profile(height))
    } else {
        1.83 / profile(depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FuelModels, Grid, Layers, LengthToWidth, WeatherRow};

    /// Table 1 of Andrews (2012) has 0.36 for short grass, 0.44 for tall grass and 0.55 for chaparral.
    #[test]
    fn open_ground_has_the_published_shares() {
        let of = |fuel: u16| (100.0 * wind_adjustment(Fuel::of(fuel).unwrap().depth, 0.0, 0.0)).round() / 100.0;
        assert_eq!([1, 3, 4].map(of), [0.36, 0.44, 0.55]);
        // Crowns that are low or far apart shelter nothing.
        assert_eq!(wind_adjustment(1.0, 0.14, 30.0), wind_adjustment(1.0, 0.9, 1.8));
    }

    /// By hand: 40 % below crowns of 20 m: f = 0.1333, H = 65.617 ft, 0.555 / (2.9579 * ln(43.622 / 8.5302)) = 0.1150.
    #[test]
    fn a_forest_shelters() {
        assert!((wind_adjustment(1.0, 0.4, 20.0) - 0.1150).abs() < 5e-5, "{}", wind_adjustment(1.0, 0.4, 20.0));
    }

    /// The wind at 10 m in Alexander's law is the effective wind divided by the whole share.
    #[test]
    fn trees_count_in_the_law_of_the_wind_above_them() {
        let grid =
            |value| Grid::parse(&format!("ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n{value}"), "g");
        let [fuel, cover, height] = [1, 40, 20].map(|value| grid(value).unwrap());
        let layers = Layers { canopy: Some([cover, height]), ..Layers::new(fuel) };
        let land = Landscape::of_layers(&layers, FuelModels::default()).unwrap();
        let row = WeatherRow { wind_kmh: 30.0, wind_adjustment: 0.9, ..Weather::still().rows()[0] };
        let fire = Fire::new(land, Weather::new(vec![row]).unwrap()).adjust_wind();
        let fire = fire.length_to_width(LengthToWidth::Alexander);
        let (spread, _) = Conditions::new(&fire, 0).at(0).unwrap();
        let share = 0.9 * wind_adjustment(1.0, f64::from(0.4_f32), 20.0);
        let ratio = LengthToWidth::Alexander.ratio(spread.effective_wind(), share);
        assert!((spread.length_to_width() - ratio).abs() < 1e-12 && ratio > 1.1, "{ratio}");
        // In level ground the effective wind is the wind.
        assert!((spread.effective_wind() - 30.0 * share / 0.06).abs() < 1e-9);
    }
}
