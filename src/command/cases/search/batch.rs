//! The map and the searches of a run, made up or read.

use std::path::Path;

use crate::CommandError;
use crate::inputs::{InputFile, InputFiles, InputPath};
use crate::memory;
use tickless_core::reading::Kind;
use tickless_error::RunError;
use tickless_pathfinding::{
    Corners, InputError, Map, Obstacles, Query, Scenario, SearchModel, Searches, Terrain, random_queries,
};

/// The options from which a run is made.
pub struct Asked<'a> {
    pub sides: [u32; 2],
    pub density: f64,
    pub obstacle_size: f64,
    pub map: Option<&'a InputPath>,
    pub terrain: Option<&'a InputPath>,
    pub scenarios: Option<&'a InputPath>,
    /// As given, for a file of scenarios.
    pub searches: Option<u32>,
    /// The same for drawn searches.
    pub searches_drawn: u32,
    pub corners: Corners,
    pub expand: u32,
    pub paths: bool,
    pub seed: u64,
}

/// Searches that can run, and their origin.
pub struct Batch {
    pub model: SearchModel,
    pub inputs: Vec<InputFile>,
    /// The lengths of a file, search by search.
    pub scenarios: Option<Vec<Scenario>>,
    /// The map that the file of scenarios names, if it differs.
    pub other_map: Option<String>,
}

impl Batch {
    /// Reads or makes up the map and the searches.
    ///
    /// # Errors
    /// [`CommandError`]: memory, a file that cannot be read, a fault in a file, a map without possible searches.
    pub fn new(asked: &Asked) -> Result<Self, CommandError> {
        let mut files = InputFiles::default();
        let map = asked.map(&mut files)?;
        let mut other_map = None;
        let scenarios =
            asked.scenarios.map(|path| asked.scenarios(path, &map, &mut files, &mut other_map)).transpose()?;
        let queries = match &scenarios {
            Some(scenarios) => scenarios.iter().map(|scenario| scenario.query).collect(),
            None => asked.drawn(&map)?,
        };
        let searches = Searches::new(map).corners(asked.corners).expand(asked.expand).paths(asked.paths);
        Ok(Self { model: searches.queries(queries).check()?, inputs: files.list(), scenarios, other_map })
    }
}

impl Asked<'_> {
    fn map(&self, files: &mut InputFiles) -> Result<Map, CommandError> {
        let Some(path) = self.map else {
            let [width, height] = self.sides;
            memory::check_map(self.sides, memory::available())?;
            let obstacles = Obstacles::new(width, height).density(self.density).mean_side(self.obstacle_size);
            return Ok(obstacles.seed(self.seed).map()?);
        };
        let terrain = self.terrain.map(|path| read(files, path, Kind::Table, Terrain::parse)).transpose()?;
        let terrain = terrain.unwrap_or_default();
        read(files, path, Kind::Map, |text, file| Map::parse(text, file, &terrain))
    }

    /// The first searches of a file, or all.
    fn scenarios(
        &self,
        path: &InputPath,
        map: &Map,
        files: &mut InputFiles,
        other_map: &mut Option<String>,
    ) -> Result<Vec<Scenario>, CommandError> {
        let mut scenarios = read(files, path, Kind::Scenarios, |text, file| {
            let own = self.map.and_then(|map| map.as_ref().file_name()?.to_str()).unwrap_or_default();
            *other_map = Scenario::map_name(text).filter(|name| !name.eq_ignore_ascii_case(own)).map(str::to_owned);
            Scenario::parse(text, file, map)
        })?;
        let (file, there) = (path.as_ref().display(), scenarios.len());
        let fail = |message: String| Err(CommandError::Usage { message });
        if there == 0 {
            return fail(format!("{file} has no search behind its first line: name another file"));
        }
        match self.searches.map(|searches| searches as usize) {
            Some(searches) if searches > there => fail(format!(
                "--searches is {searches}, and {file} has {there}: give {there} or fewer, or leave it out for all"
            )),
            searches => {
                scenarios.truncate(searches.unwrap_or(there));
                Ok(scenarios)
            }
        }
    }

    fn drawn(&self, map: &Map) -> Result<Vec<Query>, CommandError> {
        let free = map.free_cells() as u64;
        if free == 0 {
            let remedy =
                if self.map.is_some() { "name another map, or give --terrain" } else { "give a lower --density" };
            let message = format!("no cell of the map is free, so no search can be drawn: {remedy}");
            return Err(CommandError::Usage { message });
        }
        memory::check_queries(self.searches_drawn, free, memory::available())?;
        Ok(random_queries(map, self.searches_drawn, self.seed))
    }
}

/// The contents of a file.
fn read<T>(
    files: &mut InputFiles,
    path: &InputPath,
    kind: Kind,
    parse: impl FnOnce(&str, &str) -> Result<T, InputError>,
) -> Result<T, CommandError> {
    let path: &Path = path.as_ref();
    let text =
        files.text(path, kind).map_err(|source| CommandError::UnreadableFile { path: path.to_owned(), source })?;
    parse(&text, &path.display().to_string()).map_err(|error| RunError::from(error).into())
}
