//! The conditions of a fire in each cell: fuel, moisture, wind and slope, under one row of the weather.

use super::{Fire, Fuel, FuelBed, Landscape, Laws, Spread, Weather, Wind, WindAdjustment};

/// The cells of a landscape under a row of the weather.
pub(super) struct Conditions<'a> {
    landscape: &'a Landscape,
    weather: &'a Weather,
    row: usize,
    laws: Laws,
    /// How trees and fuels make the wind at midflame height.
    adjustment: Option<WindAdjustment>,
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
        Self { landscape, weather, row, laws: fire.laws(), adjustment: fire.wind_adjustment(), wind, beds }
    }

    /// How a fire spreads in a cell, and the heat per area, in kilojoules per square metre; `None` where nothing burns.
    pub(super) fn at(&self, cell: usize) -> Option<(Spread, f64)> {
        let number = self.landscape.fuels()[cell];
        let gradient = self.landscape.gradients()[cell];
        let row = || self.weather.at(self.row, cell);
        let spread = |bed: &FuelBed, fuel: &Fuel| {
            let mut wind = self.wind.unwrap_or_else(|| row().wind());
            if let Some(by) = self.adjustment {
                let share = self.landscape.wind_share(by, cell, fuel);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FuelModels, Grid, Layers, LengthToWidth, WeatherRow};

    /// The wind at 10 m in Alexander's law is the effective wind divided by the whole share.
    #[test]
    fn trees_count_in_the_law_of_the_wind_above_them() {
        let grid =
            |value| Grid::parse(&format!("ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 30\n{value}"), "g");
        let [fuel, cover, height] = [1, 40, 20].map(|value| grid(value).unwrap());
        let layers = Layers { canopy: Some([cover, height]), ..Layers::new(fuel) };
        let land = Landscape::of_layers(&layers, FuelModels::default()).unwrap();
        let row = WeatherRow { wind_kmh: 30.0, wind_adjustment: 0.9, ..Weather::still().rows()[0] };
        let fire = Fire::new(land, Weather::new(vec![row]).unwrap()).adjust_wind(WindAdjustment::FlamMap);
        let fire = fire.length_to_width(LengthToWidth::Alexander);
        let (spread, _) = Conditions::new(&fire, 0).at(0).unwrap();
        let share = 0.9 * WindAdjustment::FlamMap.share(1.0, f64::from(0.4_f32), 20.0);
        let ratio = LengthToWidth::Alexander.ratio(spread.effective_wind(), share);
        assert!((spread.length_to_width() - ratio).abs() < 1e-12 && ratio > 1.1, "{ratio}");
        // In level ground the effective wind is the wind.
        assert!((spread.effective_wind() - 30.0 * share / 0.06).abs() < 1e-9);
    }
}
