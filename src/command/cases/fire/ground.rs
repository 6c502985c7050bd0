//! The files of a fire: its landscape and its weather.

use std::path::Path;

use super::arguments::FireArguments;
use crate::inputs::{InputFiles, InputPath};
use tickless_core::reading::Kind;
use tickless_fire::{Barriers, FireError, FuelModels, Grid, Landscape, Layers, Quantity, Weather};

impl FireArguments {
    /// The landscape, from files or made up.
    pub(super) fn ground(&self, files: &mut InputFiles) -> Result<Landscape, FireError> {
        let models = self.fuel_models.as_ref().map(|path| files.parsed(path, Kind::Models, FuelModels::parse));
        let models = models.transpose()?.unwrap_or_default();
        let layers = match (&self.landscape, &self.fuel) {
            (Some(path), _) => Some(files.raster(path.as_ref(), Kind::Landscape)?.layers()?),
            (None, Some(path)) => {
                let mut layers = Layers::new(files.raster(path.as_ref(), Kind::Grid)?.fuels(&models)?);
                let mut grid = |path: &Option<InputPath>, quantity| {
                    let read = |path: &InputPath| files.raster(path.as_ref(), Kind::Grid)?.grid(quantity);
                    path.as_ref().map(read).transpose()
                };
                layers.elevation = grid(&self.elevation, Quantity::Elevation)?;
                layers.slope = both(grid(&self.slope, Quantity::Slope)?, grid(&self.aspect, Quantity::Aspect)?);
                let [cover, height] = [Quantity::CanopyCover, Quantity::CanopyHeight];
                layers.canopy = both(grid(&self.canopy_cover, cover)?, grid(&self.canopy_height, height)?);
                Some(layers)
            }
            (None, None) => None,
        };
        let landscape = match layers {
            None => Landscape::made_up(self.side, self.side, self.seed)?,
            Some(mut layers) => {
                let marks = |path: &InputPath| files.raster(path.as_ref(), Kind::Grid)?.suppressed();
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
        Weather::parse_with(&text, &path.as_ref().display().to_string(), &mut |name, quantity| {
            files.raster(&beside.join(name), Kind::Grid)?.grid(quantity)
        })
    }
}

/// Two grids that belong together.
fn both(first: Option<Grid>, second: Option<Grid>) -> Option<[Grid; 2]> {
    Some([first?, second?])
}
