//! The text of a coordinate system: WKT of either version, or the form of Arc/Info, as files ending with `.prj` have it.

/// What such a text says, as far as it matters here.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct System {
    /// Coordinates are angles.
    pub(super) in_degrees: bool,
    /// Metres in the unit of the coordinates; `None` where the text does not say it.
    pub(super) metres: Option<f64>,
    /// Its code of the EPSG, where it has one or its name is that of one.
    pub(super) code: Option<u16>,
    /// The name of the method of its projection, in small letters.
    pub(super) method: String,
    /// The numbers of its projection, by their names in small letters, without spaces and punctuation.
    pub(super) parameters: Vec<(String, f64)>,
    /// The unit of heights.
    pub(super) vertical: Option<String>,
}

/// Words for systems on a plane, on the ellipsoid, and for heights.
const PLANES: [&str; 6] = ["PROJCS", "PROJCRS", "PROJECTEDCRS", "LOCAL_CS", "ENGCRS", "ENGINEERINGCRS"];
const ELLIPSOIDS: [&str; 6] = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS", "GEOCCS"];
const HEIGHTS: [&str; 3] = ["VERT_CS", "VERTCRS", "VERTICALCRS"];
const UNITS: [&str; 2] = ["UNIT", "LENGTHUNIT"];
/// The names of zones of UTM up to their number, without punctuation, and the code of zone 0.
const ZONES: [(&str, u16); 4] =
    [("nad1983utmzone", 26_900), ("nad83utmzone", 26_900), ("wgs1984utmzone", 32_600), ("wgs84utmzone", 32_600)];
/// Other names that mean a code: that of LANDFIRE, and Web Mercator.
const NAMES: [(&str, u16); 4] = [
    ("usacontiguousalbersequalareaconicusgsversion", 5070),
    ("nad83conusalbers", 5070),
    ("wgs1984webmercatorauxiliarysphere", 3857),
    ("wgs84pseudomercator", 3857),
];

/// Reads a text; `None` where it is in neither form.
pub(super) fn read(text: &str) -> Option<System> {
    let text = text.trim();
    match Node::read(text, 0) {
        Some((root, _)) => of_tree(&root),
        None => of_lines(text),
    }
}

fn of_tree(root: &Node<'_>) -> Option<System> {
    let vertical = root.find(&HEIGHTS).and_then(|heights| Some(heights.find(&UNITS)?.values.first()?.to_string()));
    let Some(plane) = root.find(&PLANES) else {
        root.find(&ELLIPSOIDS)?;
        return Some(System { in_degrees: true, vertical, ..System::default() });
    };
    // The unit of the base system is that of angles, or of its own ellipsoid: it stands in a node of its own.
    let own = plane.nodes.iter().rev().find(|node| node.is(&UNITS));
    let unit = own.or_else(|| plane.nodes.iter().filter(|node| node.is(&["AXIS"])).find_map(|axis| axis.find(&UNITS)));
    let metres = unit.and_then(|unit| unit.values.get(1)?.parse().ok());
    let method =
        plane.find(&["PROJECTION", "METHOD"]).and_then(|node| node.values.first().copied()).unwrap_or_default();
    let authority = plane.nodes.iter().find(|node| node.is(&["AUTHORITY", "ID"]));
    let code = authority.filter(|node| node.values.first().is_some_and(|name| name.eq_ignore_ascii_case("EPSG")));
    let code = code.and_then(|node| node.values.get(1)?.parse().ok());
    let code = code.or_else(|| plane.values.first().and_then(|name| code_of(name)));
    let mut parameters = vec![];
    plane.numbers(&mut parameters);
    Some(System { in_degrees: false, metres, code, method: method.to_lowercase(), parameters, vertical })
}

/// The code that a name means.
fn code_of(name: &str) -> Option<u16> {
    let name = letters(name);
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*code);
    }
    let (zone, base) = ZONES.iter().find_map(|(known, base)| Some((name.strip_prefix(known)?, base)))?;
    let (number, south) = match zone.strip_suffix('s') {
        Some(number) => (number, 100),
        None => (zone.trim_end_matches('n'), 0),
    };
    number
        .parse()
        .ok()
        .filter(|number: &u16| (1..=60).contains(number) && (south == 0 || *base == 32_600))
        .map(|number| base + south + number)
}

/// A name in small letters, without spaces and punctuation.
pub(super) fn letters(name: &str) -> String {
    name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Lines of a word and its value.
fn of_lines(text: &str) -> Option<System> {
    let mut found = System::default();
    let mut is_one = false;
    for line in text.lines() {
        let mut words = line.split_whitespace().map(str::to_lowercase);
        let (Some(word), Some(value)) = (words.next(), words.next()) else { continue };
        match word.as_str() {
            "projection" => {
                is_one = true;
                found.in_degrees = matches!(value.as_str(), "geographic" | "geodetic");
                found.method = value;
            }
            "units" => match value.as_str() {
                "dd" | "ds" | "dms" => found.in_degrees = true,
                "meters" | "metres" | "meter" | "metre" => found.metres = Some(1.0),
                "feet" | "foot" => found.metres = Some(0.3048),
                // Any other unit is none that is known.
                other => found.metres = Some(other.parse().map_or(f64::NAN, |a_metre: f64| 1.0 / a_metre)),
            },
            "zunits" if value != "no" => found.vertical = Some(value),
            _ => {}
        }
    }
    is_one.then_some(found)
}

/// The most nodes within each other.
const DEEPEST: usize = 20;

/// A word with values, and nodes, in brackets.
#[derive(Debug, Default)]
struct Node<'a> {
    word: &'a str,
    values: Vec<&'a str>,
    nodes: Vec<Node<'a>>,
}

impl<'a> Node<'a> {
    /// The node at the beginning of a text, and what is behind it.
    fn read(text: &'a str, depth: usize) -> Option<(Self, &'a str)> {
        let text = text.trim_start();
        let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let (word, rest) = text.split_at(end);
        let mut rest = rest.trim_start().strip_prefix(['[', '('])?;
        if word.is_empty() || depth > DEEPEST {
            return None;
        }
        let mut node = Node { word, ..Node::default() };
        loop {
            rest = rest.trim_start();
            if let Some((child, behind)) = Node::read(rest, depth + 1) {
                node.nodes.push(child);
                rest = behind;
            } else if let Some(quoted) = rest.strip_prefix('"') {
                let (value, behind) = quoted.split_once('"')?;
                node.values.push(value);
                rest = behind;
            } else {
                let end = rest.find([',', ']', ')'])?;
                node.values.push(rest[..end].trim());
                rest = &rest[end..];
            }
            rest = rest.trim_start();
            match rest.chars().next()? {
                ',' => rest = &rest[1..],
                ']' | ')' => return Some((node, &rest[1..])),
                _ => return None,
            }
        }
    }

    /// Appends the parameters in it.
    fn numbers(&self, all: &mut Vec<(String, f64)>) {
        if self.is(&["PARAMETER"])
            && let [name, value, ..] = self.values[..]
            && let Ok(value) = value.parse()
        {
            all.push((letters(name), value));
        }
        self.nodes.iter().for_each(|node| node.numbers(all));
    }

    fn is(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.word.eq_ignore_ascii_case(word))
    }

    /// The first node with one of these words, itself included, in the order of the text.
    fn find(&self, words: &[&str]) -> Option<&Self> {
        if self.is(words) { Some(self) } else { self.nodes.iter().find_map(|node| node.find(words)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTM: &str = r#"PROJCS["NAD_1983_UTM_Zone_10N",GEOGCS["GCS_North_American_1983",DATUM["D",SPHEROID["GRS_1980",6378137.0,298.25]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],UNIT["Meter",1.0]]"#;

    #[test]
    fn systems_are_read_in_all_forms() {
        let utm = read(UTM).unwrap();
        assert_eq!((utm.in_degrees, utm.metres, utm.code), (false, Some(1.0), Some(26_910)));
        let feet =
            read(&UTM.replace("UNIT[\"Meter\",1.0]", "UNIT[\"Foot_US\",0.3048006096012192]").replace("NAD", "X"))
                .unwrap();
        assert_eq!((feet.metres, feet.code), (Some(0.304_800_609_601_219_2), None));
        let code = read(&UTM.replace("UNIT[\"Meter\",1.0]", "UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"5070\"]")).unwrap();
        assert_eq!(code.code, Some(5070));
        let new = r#"PROJCRS["x",BASEGEOGCRS["y",DATUM["z",ELLIPSOID["e",6378137,298,LENGTHUNIT["metre",1]]]],CONVERSION["c",
            METHOD["Popular Visualisation Pseudo Mercator",ID["EPSG",1024]]],CS[Cartesian,2],AXIS["e",east,LENGTHUNIT["foot",0.3048]],ID["EPSG",3857]]"#;
        let new = read(new).unwrap();
        assert_eq!((new.metres, new.code, new.method.contains("mercator")), (Some(0.3048), Some(3857), true));
        let heights =
            read(&format!(r#"COMPD_CS["both",{UTM},VERT_CS["h",VERT_DATUM["d",2005],UNIT["US survey foot",0.3048]]]"#));
        let heights = heights.unwrap();
        assert_eq!((heights.vertical.as_deref(), heights.metres), (Some("US survey foot"), Some(1.0)));
        assert!(read(r#"GEOGCS["GCS_WGS_1984",UNIT["Degree",0.017]]"#).unwrap().in_degrees);
        let arc = read(
            "Projection    UTM\nZone          12\nDatum         NAD83\nZunits        FEET\nUnits         METERS\n",
        )
        .unwrap();
        assert_eq!((arc.in_degrees, arc.metres, arc.vertical.as_deref()), (false, Some(1.0), Some("feet")));
        assert!(read("Projection GEOGRAPHIC\nUnits DD\n").unwrap().in_degrees);
        assert_eq!(read("Projection STATEPLANE\nUnits FEET\nZunits NO\n").unwrap().metres, Some(0.3048));
    }

    #[test]
    fn names_of_zones_are_codes() {
        let codes =
            ["WGS_1984_UTM_Zone_33S", "WGS 84 / UTM zone 10N", "NAD83 / UTM zone 19N", "NAD_1983_UTM_Zone_61N", "x"];
        assert_eq!(codes.map(code_of), [Some(32_733), Some(32_610), Some(26_919), None, None]);
    }

    #[test]
    fn no_text_panics_or_goes_on() {
        for text in ["", "PROJCS", "PROJCS[", "PROJCS[\"", "a[b[c[", "no text of a system", "PROJCS[\"é", "(((("] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"A[".repeat(10_000)), None);
        for end in (0..UTM.len()).filter(|end| UTM.is_char_boundary(*end)) {
            assert_eq!(read(&UTM[..end]), None);
        }
    }
}
