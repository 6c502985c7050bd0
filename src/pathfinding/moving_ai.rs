//! The files of the Moving AI benchmarks (Sturtevant 2012): maps of letters, and searches on them.

use super::error::InputError;
use super::map::{Cell, MOST_COST, MOST_SIDE, Map};
use super::model::Query;
use super::outcome::{SearchRecord, SearchState};
use tickless_core::memory;
use tickless_core::number::named;
use tickless_core::reading::without_mark;

/// The costs of the letters of a map.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::Terrain;
/// let terrain = Terrain::parse("letter,cost\n.,1\nS,3\n@,0\n", "swamp.csv")?;
/// assert_eq!((terrain.cost(b'S'), terrain.cost(b'@'), terrain.cost(b'G')), (Some(3), Some(0), None));
/// // Without a table `.`, `G` and `S` are free, and `@`, `O`, `T` and `W` are blocked.
/// assert_eq!(Terrain::default().cost(b'S'), Some(1));
/// # Ok::<(), tickless::pathfinding::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terrain {
    costs: [Option<u8>; 128],
}

/// The costs of a walker on the ground: the rules by which the lengths of the benchmarks were found.
impl Default for Terrain {
    fn default() -> Self {
        let mut costs = [None; 128];
        b".GS".iter().for_each(|&letter| costs[usize::from(letter)] = Some(1));
        b"@OTW".iter().for_each(|&letter| costs[usize::from(letter)] = Some(0));
        Self { costs }
    }
}

impl Terrain {
    /// A table of letters and their costs: the columns `letter` and `cost`, 0 for blocked letters. Maps may have no other
    /// letters.
    ///
    /// # Errors
    /// [`InputError`] with the line.
    pub fn parse(text: &str, file: &str) -> Result<Self, InputError> {
        let mut costs = [None; 128];
        let fail = |line, fault: String| Err(InputError::new(file, line, fault));
        let mut lines = (1..).zip(without_mark(text).lines()).filter(|(_, line)| !line.trim().is_empty());
        match lines.next() {
            Some((_, header)) if header.split(',').map(str::trim).eq(["letter", "cost"]) => {}
            Some((line, header)) => {
                return fail(line, format!("the columns are '{header}'; they must be 'letter,cost'"));
            }
            None => return fail(1, "the table is empty; its first line must be 'letter,cost'".into()),
        }
        for (line, row) in lines {
            let Some((letter, cost)) = row.rsplit_once(',') else {
                return fail(line, format!("'{row}' is no letter and cost, as in 'S,3'"));
            };
            let (letter, cost) = (letter.trim(), cost.trim());
            let place = match letter.as_bytes() {
                [byte @ 33..=126] => usize::from(*byte),
                _ => {
                    return fail(
                        line,
                        format!("'{}' is no letter: it must be one printed ASCII character", letter.escape_debug()),
                    );
                }
            };
            let Some(value) = cost.parse().ok().filter(|cost| *cost <= MOST_COST) else {
                return fail(
                    line,
                    format!(
                        "the cost of '{letter}' is '{cost}'; it must be a whole number, 0 (blocked) to {MOST_COST}"
                    ),
                );
            };
            if costs[place].replace(value).is_some() {
                return fail(line, format!("'{letter}' has a cost already: give each letter one"));
            }
        }
        if costs.iter().all(Option::is_none) {
            return fail(1, "no line with a letter and its cost follows".into());
        }
        Ok(Self { costs })
    }

    /// The cost of a letter, 0 where it is blocked; `None` where maps may not have it.
    pub fn cost(&self, letter: u8) -> Option<u8> {
        self.costs.get(usize::from(letter)).copied().flatten()
    }

    fn letters(&self) -> String {
        let known = (0..128_u8).filter(|&letter| self.cost(letter).is_some());
        known.map(|letter| format!("'{}'", char::from(letter))).collect::<Vec<_>>().join(", ")
    }
}

impl Map {
    /// The text of a `.map` file: `type octile`, `height H`, `width W`, `map`, and H rows of W letters.
    ///
    /// # Errors
    /// [`InputError`] with the line.
    ///
    /// ```
    /// # use tickless_pathfinding::facade as tickless;
    /// use tickless::pathfinding::{Map, Terrain};
    /// let map = Map::parse("type octile\nheight 2\nwidth 3\nmap\n..@\nG.T\n", "small.map", &Terrain::default())?;
    /// assert_eq!((map.width(), map.height(), map.free_cells()), (3, 2, 4));
    /// # Ok::<(), tickless::pathfinding::InputError>(())
    /// ```
    pub fn parse(text: &str, file: &str, terrain: &Terrain) -> Result<Self, InputError> {
        let mut lines = (1..).zip(without_mark(text).lines());
        let fail = |line, fault: String| Err(InputError::new(file, line, fault));
        let (mut width, mut height) = (None, None);
        let mut last = 1;
        loop {
            let Some((line, text)) = lines.next() else {
                return fail(last, "the file ends before the line 'map': it is cut off, or no map of Moving AI".into());
            };
            last = line;
            match text.split_whitespace().collect::<Vec<_>>()[..] {
                ["type", "octile"] => {}
                ["type", other] => {
                    let fault = format!("the type is '{}'; it must be octile: moves lead to eight sides", shown(other));
                    return fail(line, fault);
                }
                ["height", side] => {
                    height = Some(parse_side(side).map_err(|fault| InputError::new(file, line, fault))?)
                }
                ["width", side] => width = Some(parse_side(side).map_err(|fault| InputError::new(file, line, fault))?),
                ["map"] => break,
                _ => {
                    let fault = format!("'{}' is none of 'type octile', 'height H', 'width W' and 'map'", shown(text));
                    return fail(line, fault);
                }
            }
        }
        let (Some(width), Some(height)) = (width, height) else {
            let missing = if width.is_none() { "width W" } else { "height H" };
            return fail(last, format!("the line '{missing}' is missing before 'map'"));
        };
        let costs = memory::with_room(width as usize * height as usize, "the map");
        let mut costs: Vec<u8> = costs.map_err(|error| InputError::new(file, last, error.to_string()))?;
        for row in 0..height {
            let Some((line, text)) = lines.next() else {
                return fail(
                    last,
                    format!("the map ends after {row} {}; it has {height}: the file is cut off", named(row, "row")),
                );
            };
            last = line;
            let letters = text.chars().count();
            if letters != width as usize {
                return fail(line, format!("row {row} has {letters} letters; the map is {width} wide"));
            }
            for (column, letter) in text.chars().enumerate() {
                let Some(cost) = u8::try_from(letter).ok().and_then(|letter| terrain.cost(letter)) else {
                    let letter = letter.escape_debug();
                    let fault = format!("'{letter}' in column {column} is no terrain; there are {}", terrain.letters());
                    return fail(line, fault);
                };
                costs.push(cost);
            }
        }
        if let Some((line, text)) = lines.find(|(_, text)| !text.trim().is_empty()) {
            return fail(line, format!("'{}' comes after the last of {height} rows", shown(text)));
        }
        Self::new(width, height, costs).map_err(|error| InputError::new(file, last, error.to_string()))
    }
}

/// A search of a scenario file, and the least length that the file states.
///
/// ```
/// # use tickless_pathfinding::facade as tickless;
/// use tickless::pathfinding::{Map, Scenario};
/// let text = "version 1\n3\tempty.map\t8\t8\t0\t0\t3\t4\t5.24264069\n";
/// let scenarios = Scenario::parse(text, "empty.scen", &Map::free(8, 8)?)?;
/// assert_eq!((scenarios[0].query.goal.row, scenarios[0].length), (4, 5.24264069));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// The start and the goal.
    pub query: Query,
    /// The length of a shortest path, where a diagonal move has the length of the square root of 2; 0 also where there
    /// is no path.
    pub length: f64,
    /// Half a unit of the last digit that the file gives of the length.
    pub precision: f64,
}

/// The rounding error of a diagonal move of 1.414214, or more, as a share of a cost.
const ROUNDING: f64 = 5e-7;

impl Scenario {
    /// The text of a `.scen` file for this map: a line `version 1`, then lines of nine columns: bucket, map, its width and
    /// height, column and row of the start, column and row of the goal, and the length.
    ///
    /// # Errors
    /// [`InputError`] with the line.
    pub fn parse(text: &str, file: &str, map: &Map) -> Result<Vec<Self>, InputError> {
        let mut lines = (1..).zip(without_mark(text).lines()).filter(|(_, line)| !line.trim().is_empty());
        let fail = |line, fault: String| Err(InputError::new(file, line, fault));
        match lines.next().map(|(line, text)| (line, text.split_whitespace().collect::<Vec<_>>())) {
            Some((_, words)) if matches!(words[..], ["version", "1" | "1.0"]) => {}
            Some((line, words)) => {
                return fail(
                    line,
                    format!("the file begins with '{}'; its first line must be 'version 1'", shown(&words.join(" "))),
                );
            }
            None => return fail(1, "the file is empty; its first line must be 'version 1'".into()),
        }
        lines.map(|(line, text)| Self::line(text, map).map_err(|fault| InputError::new(file, line, fault))).collect()
    }

    /// By how many moves the cost of a search differs from the length in the file; `None` where an interruption came
    /// before its end. Where there is no path, the length should be 0.
    ///
    /// ```
    /// # use tickless_pathfinding::facade as tickless;
    /// use tickless::pathfinding::{Map, Scenario, SearchRecord};
    /// let text = "version 1\n3\tempty.map\t8\t8\t0\t0\t3\t4\t5.24264069\n";
    /// let scenario = Scenario::parse(text, "empty.scen", &Map::free(8, 8)?)?[0];
    /// // Three diagonal moves and one straight.
    /// let found = SearchRecord::found(3 * 1_414_214 + 1_000_000, 9);
    /// assert!(scenario.difference(&found).unwrap() < 2e-6 && scenario.agrees(&found));
    /// assert!(!scenario.agrees(&SearchRecord::found(5_242_648, 9)) && !scenario.agrees(&SearchRecord::no_path(9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn difference(&self, found: &SearchRecord) -> Option<f64> {
        (found.state != SearchState::Unfinished).then(|| (moves(found) - self.length).abs())
    }

    /// Whether a search has found that length, up to the error of rounding the square root of 2 to millionths (5e-7 of a cost
    /// of 1) and the digits of the file.
    pub fn agrees(&self, found: &SearchRecord) -> bool {
        self.difference(found).is_some_and(|difference| difference <= ROUNDING * moves(found) + self.precision)
    }

    /// The file name of the map that the first search of a text names.
    ///
    /// ```
    /// # use tickless_pathfinding::facade as tickless;
    /// use tickless::pathfinding::Scenario;
    /// let text = "version 1\n3\tmaps/empty.map\t8\t8\t0\t0\t3\t4\t5.24264069\n";
    /// assert_eq!(Scenario::map_name(text), Some("empty.map"));
    /// ```
    pub fn map_name(text: &str) -> Option<&str> {
        let line = text.lines().skip(1).find(|line| !line.trim().is_empty())?;
        columns(line).get(1)?.rsplit(['/', '\\']).next()
    }

    fn line(text: &str, map: &Map) -> Result<Self, String> {
        let columns = columns(text);
        let [_, _, width, height, start_column, start_row, goal_column, goal_row, length] = columns[..] else {
            return Err(format!("there are {} columns; a search has 9, with tabs between them", columns.len()));
        };
        let number = |what: &str, text: &str| -> Result<u32, String> {
            let number = text.parse().ok().filter(|number| *number <= MOST_SIDE);
            number.ok_or_else(|| {
                format!("the {what} is '{}'; it must be a whole number from 0 to {MOST_SIDE}", shown(text))
            })
        };
        let (width, height) = (number("width", width)?, number("height", height)?);
        if (width, height) != (map.width(), map.height()) {
            let (columns, rows) = (map.width(), map.height());
            return Err(format!(
                "the search is for a map of {width} x {height} cells, and this one is {columns} x {rows}"
            ));
        }
        let cell = |what: &str, column, row| -> Result<Cell, String> {
            let (column, row) =
                (number(&format!("column of the {what}"), column)?, number(&format!("row of the {what}"), row)?);
            let cell = Cell { column, row };
            let inside = map.cost(cell).is_some();
            inside
                .then_some(cell)
                .ok_or_else(|| format!("the {what} is {cell}, outside of a map of {width} x {height}"))
        };
        let query =
            Query { start: cell("start", start_column, start_row)?, goal: cell("goal", goal_column, goal_row)? };
        let precision = half_a_unit(length);
        let length = length.parse().ok().filter(|length: &f64| *length >= 0.0 && length.is_finite());
        let length =
            length.ok_or_else(|| format!("the length is '{}'; it must be a number, 0 or more", shown(columns[8])))?;
        Ok(Self { query, length, precision })
    }
}

/// The columns of a search: parted by tabs, or else by blanks, since a name of a map may contain blanks.
fn columns(line: &str) -> Vec<&str> {
    if line.contains('\t') { line.split('\t').map(str::trim).collect() } else { line.split_whitespace().collect() }
}

/// The cost of a search in moves; 0 where it has no path.
fn moves(found: &SearchRecord) -> f64 {
    found.cost().unwrap_or(0) as f64 / 1e6
}

/// Half a unit of the last digit of a number in its text.
fn half_a_unit(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let digits = mantissa.split_once('.').map_or(0, |(_, behind)| behind.len() as i32);
    0.5 * 10_f64.powi(exponent.parse::<i32>().unwrap_or(0).saturating_sub(digits))
}

fn parse_side(text: &str) -> Result<u32, String> {
    let side = text.parse().ok().filter(|side| (1..=MOST_SIDE).contains(side));
    side.ok_or_else(|| format!("the side is '{}'; it must be a whole number from 1 to {MOST_SIDE}", shown(text)))
}

/// The beginning of a text, as messages show it.
fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).collect::<String>().escape_debug().to_string();
    if text.chars().nth(LONGEST).is_some() {
        shown += "...";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map_fault(text: &str) -> String {
        Map::parse(text, "a.map", &Terrain::default()).unwrap_err().to_string()
    }

    #[test]
    fn faults_of_maps_name_the_line() {
        let head = "type octile\nheight 2\nwidth 3\nmap\n";
        let faults = [
            ("", "a.map, line 1: the file ends before the line 'map': it is cut off, or no map of Moving AI"),
            ("type hex\n", "a.map, line 1: the type is 'hex'; it must be octile: moves lead to eight sides"),
            ("type tile\n", "a.map, line 1: the type is 'tile'; it must be octile: moves lead to eight sides"),
            ("height 0\n", "a.map, line 1: the side is '0'; it must be a whole number from 1 to 6000"),
            ("width 3\nmap\n", "a.map, line 2: the line 'height H' is missing before 'map'"),
            ("size 3\n", "a.map, line 1: 'size 3' is none of 'type octile', 'height H', 'width W' and 'map'"),
            (&format!("{head}...\n"), "a.map, line 5: the map ends after 1 row; it has 2: the file is cut off"),
            (&format!("{head}...\n..\n"), "a.map, line 6: row 1 has 2 letters; the map is 3 wide"),
            (&format!("{head}...\n.é\n"), "a.map, line 6: row 1 has 2 letters; the map is 3 wide"),
            (
                &format!("{head}...\n.é.\n"),
                "a.map, line 6: 'é' in column 1 is no terrain; there are '.', '@', 'G', 'O', 'S', 'T', 'W'",
            ),
            (
                &format!("{head}...\n.x.\n"),
                "a.map, line 6: 'x' in column 1 is no terrain; there are '.', '@', 'G', 'O', 'S', 'T', 'W'",
            ),
            (&format!("{head}...\n...\n...\n"), "a.map, line 7: '...' comes after the last of 2 rows"),
        ];
        for (text, fault) in faults {
            assert_eq!(map_fault(text), fault);
        }
        let windows = "type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.@\r\n\r\n";
        assert_eq!(Map::parse(windows, "a.map", &Terrain::default()).unwrap().costs(), [1, 0]);
    }

    #[test]
    fn faults_of_tables_name_the_line() {
        let fault = |text| Terrain::parse(text, "t.csv").unwrap_err().to_string();
        assert_eq!(fault("\n"), "t.csv, line 1: the table is empty; its first line must be 'letter,cost'");
        assert_eq!(fault("a,b\n"), "t.csv, line 1: the columns are 'a,b'; they must be 'letter,cost'");
        assert_eq!(fault("letter,cost\n"), "t.csv, line 1: no line with a letter and its cost follows");
        assert_eq!(fault("letter,cost\nx\n"), "t.csv, line 2: 'x' is no letter and cost, as in 'S,3'");
        assert_eq!(
            fault("letter,cost\nxy,1\n"),
            "t.csv, line 2: 'xy' is no letter: it must be one printed ASCII character"
        );
        let cost = "t.csv, line 2: the cost of 'x' is '101'; it must be a whole number, 0 (blocked) to 100";
        assert_eq!(fault("letter,cost\nx,101\n"), cost);
        assert_eq!(fault("letter,cost\n\nx,1\nx,2\n"), "t.csv, line 4: 'x' has a cost already: give each letter one");
        // A comma is a letter, too.
        assert_eq!(Terrain::parse("letter,cost\n,,7\n", "t.csv").unwrap().cost(b','), Some(7));
        // As some programs begin a text.
        assert_eq!(Terrain::parse("\u{feff}letter,cost\nS,7\n", "t.csv").unwrap().cost(b'S'), Some(7));
        let map =
            Map::parse("\u{feff}type octile\nheight 1\nwidth 2\nmap\n..\n", "a.map", &Terrain::default()).unwrap();
        assert_eq!(map.free_cells(), 2);
    }

    #[test]
    fn faults_of_scenarios_name_the_line() {
        let map = Map::free(4, 3).unwrap();
        let fault = |text: &str| Scenario::parse(text, "s.scen", &map).unwrap_err().to_string();
        assert_eq!(fault(""), "s.scen, line 1: the file is empty; its first line must be 'version 1'");
        assert_eq!(
            fault("version 2\n"),
            "s.scen, line 1: the file begins with 'version 2'; its first line must be 'version 1'"
        );
        let line = |text: &str| fault(&format!("version 1\n{text}\n"));
        assert_eq!(line("1\tm\t4"), "s.scen, line 2: there are 3 columns; a search has 9, with tabs between them");
        let other = "s.scen, line 2: the search is for a map of 5 x 3 cells, and this one is 4 x 3";
        assert_eq!(line("1\tm\t5\t3\t0\t0\t1\t1\t1.4"), other);
        assert_eq!(
            line("1\tm\t4\t3\t0\t3\t1\t1\t1.4"),
            "s.scen, line 2: the start is column 0, row 3, outside of a map of 4 x 3"
        );
        assert_eq!(
            line("1\tm\t4\t3\t0\t-1\t1\t1\t1.4"),
            "s.scen, line 2: the row of the start is '-1'; it must be a whole number from 0 to 6000"
        );
        assert_eq!(
            line("1\tm\t4\t3\t0\t0\t1\t1\tnan"),
            "s.scen, line 2: the length is 'nan'; it must be a number, 0 or more"
        );
        let good = "version 1.0\n1 m 4 3 0 0 1 1 1.4\n1\ta map\t4\t3\t0\t0\t1\t1\t1.4\n";
        assert_eq!(Scenario::parse(good, "s.scen", &map).unwrap().len(), 2);
    }

    #[test]
    fn a_length_is_as_exact_as_it_is_written() {
        let cases = [("3", 0.5), ("5.24264069", 5e-9), ("202.4", 0.05), ("1.5e3", 50.0), ("1e-3", 5e-4), ("0", 0.5)];
        for (text, precision) in cases {
            assert!((half_a_unit(text) / precision - 1.0).abs() < 1e-9, "{text}: {}", half_a_unit(text));
        }
        let query = Query::default();
        let scenario = Scenario { query, length: 10.0, precision: 5e-9 };
        let agrees = |cost| scenario.agrees(&SearchRecord::found(cost, 1));
        assert_eq!([9_999_994, 9_999_996, 10_000_005, 10_000_006].map(agrees), [false, true, true, false]);
        assert!(!scenario.agrees(&SearchRecord::no_path(3)) && !scenario.agrees(&SearchRecord::default()));
        assert_eq!(scenario.difference(&SearchRecord::default()), None);
        let nowhere = Scenario { query, length: 0.0, precision: 5e-9 };
        assert!(nowhere.agrees(&SearchRecord::no_path(3)) && nowhere.agrees(&SearchRecord::found(0, 0)));
    }
}
