//! The files of a fire: its landscape and its weather.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::arguments::FireArguments;
use crate::inputs::{InputFiles, InputPath};
use tickless_core::reading::Kind;
use tickless_fire::{Barriers, FireError, FuelModels, Grid, Landscape, Layers, Weather};

impl FireArguments {
    /// The landscape, from files or made up.
    pub(super) fn ground(&self, files: &mut InputFiles) -> Result<Landscape, FireError> {
        let models = self.fuel_models.as_ref().map(|path| files.parsed(path, Kind::Models, FuelModels::parse));
        let models = models.transpose()?.unwrap_or_default();
        let layers = match (&self.landscape, &self.fuel) {
            (Some(path), _) => Some(files.decoded(path.as_ref(), Kind::Landscape, Layers::decode)?),
            (None, Some(path)) => {
                let fuel =
                    files.decoded(path.as_ref(), Kind::Grid, |bytes, name| Grid::decode_fuels(bytes, name, &models))?;
                let mut layers = Layers::new(fuel);
                let mut grid = |path: &InputPath| files.decoded(path.as_ref(), Kind::Grid, Grid::decode);
                layers.elevation = self.elevation.as_ref().map(&mut grid).transpose()?;
                layers.slope = both(&self.slope, &self.aspect, &mut grid)?;
                layers.canopy = both(&self.canopy_cover, &self.canopy_height, &mut grid)?;
                if let Some([_, height]) = &mut layers.canopy {
                    height.values.iter_mut().for_each(|value| *value *= Layers::UNIT_OF_CANOPY);
                }
                Some(layers)
            }
            (None, None) => None,
        };
        let landscape = match layers {
            None => Landscape::made_up(self.side, self.side, self.seed)?,
            Some(mut layers) => {
                let marks = |path: &InputPath| files.decoded(path.as_ref(), Kind::Grid, Grid::decode_suppressed);
                layers.suppressed = self.suppressed.as_ref().map(marks).transpose()?;
                Landscape::of_layers(&layers, models)?
            }
        };
        let Some(path) = &self.barriers else { return Ok(landscape) };
        let cells = files.parsed(path, Kind::Places, Barriers::parse)?.cells_of(&landscape)?;
        if cells.is_empty() {
            let cause =
                "none of its lines and areas lies in the landscape: give them in the coordinates of its grids".into();
            return Err(FireError::Read { file: path.as_ref().display().to_string(), cause });
        }
        Ok(landscape.without(cells))
    }

    /// The weather, and the grids that its rows name, in the same folder.
    pub(super) fn read_weather(&self, path: &InputPath, files: &mut InputFiles) -> Result<Weather, FireError> {
        let text = files.parsed(path, Kind::Table, |text, _| Ok(text.to_owned()))?;
        let beside = path.as_ref().parent().unwrap_or(Path::new("")).to_owned();
        let mut read = HashMap::new();
        Weather::parse_with(&text, &path.as_ref().display().to_string(), &mut |name| {
            if let Some(grid) = read.get(name) {
                return Ok(Arc::clone(grid));
            }
            let grid = Arc::new(files.decoded(&beside.join(name), Kind::Grid, Grid::decode)?);
            read.insert(name.to_owned(), grid.clone());
            Ok(grid)
        })
    }
}

/// Two grids that belong together, if given.
fn both(
    first: &Option<InputPath>,
    second: &Option<InputPath>,
    grid: &mut impl FnMut(&InputPath) -> Result<Grid, FireError>,
) -> Result<Option<[Grid; 2]>, FireError> {
    let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
    Ok(Some([grid(first)?, grid(second)?]))
}
