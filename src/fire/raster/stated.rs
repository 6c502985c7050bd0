//! What a file states of its bands: units, scales and offsets, in the metadata of GDAL.

use tickless_core::reading::without_mark;

/// What is stated of a band.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stated {
    /// The unit of its values.
    pub(super) unit: Option<String>,
    /// The unit of all bands of its file.
    pub(super) unit_of_file: Option<String>,
    /// The number for no value.
    pub(super) no_data: Option<f64>,
    /// The unit of heights in the coordinate system.
    pub(super) vertical: Option<String>,
    /// A value is its number times this,
    pub(super) scale: Option<f64>,
    /// and this added.
    pub(super) offset: Option<f64>,
    /// The name of the band.
    pub(super) description: String,
}

impl Stated {
    /// The same, and what it does not state from elsewhere.
    pub(super) fn or(&self, beside: Option<&Self>, vertical: Option<String>) -> Self {
        let own = self.clone();
        let Some(beside) = beside.cloned() else { return Self { vertical: own.vertical.or(vertical), ..own } };
        let description = if own.description.is_empty() { beside.description } else { own.description };
        Self {
            unit: own.unit.or(beside.unit),
            unit_of_file: own.unit_of_file.or(beside.unit_of_file),
            no_data: own.no_data.or(beside.no_data),
            vertical: own.vertical.or(vertical),
            scale: own.scale.or(beside.scale),
            offset: own.offset.or(beside.offset),
            description,
        }
    }
}

/// What is stated of each band, in the tag with GDAL's metadata, or beside the file (`.aux.xml`).
///
/// # Errors
/// A scale, an offset or a number for no value that is no number.
pub(super) fn bands(xml: &str) -> Result<Vec<Stated>, String> {
    let (mut all, mut unit_of_file): (Vec<Stated>, Option<String>) = (vec![], None);
    // The band of the elements of a file beside the grid, from 1.
    let mut current = 0;
    for (tag, text) in elements(xml) {
        let name = tag.split_whitespace().next().unwrap_or_default();
        let attribute = |name: &str| {
            let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
            rest.split_once('"').map(|(value, _)| unescaped(value))
        };
        let (band, key) = match name {
            "PAMRasterBand" => {
                current = attribute("band").and_then(|band| band.parse().ok()).unwrap_or(0);
                continue;
            }
            "/PAMRasterBand" => {
                current = 0;
                continue;
            }
            "UnitType" | "Scale" | "Offset" | "Description" | "NoDataValue" => (current, name.to_lowercase()),
            "Item" | "MDI" => {
                let sample = attribute("sample").and_then(|sample| sample.parse::<usize>().ok());
                let key = attribute("role").or(attribute("name")).or(attribute("key")).unwrap_or_default();
                (sample.map_or(current, |sample| sample + 1), key.to_lowercase())
            }
            _ => continue,
        };
        let is_unit = matches!(key.as_str(), "unittype" | "unit" | "units") && !text.trim().is_empty();
        if band == 0 && is_unit {
            unit_of_file = Some(unescaped(text.trim()));
        }
        let Some(place) = band.checked_sub(1).filter(|place| *place < MOST_BANDS) else { continue };
        if all.len() <= place {
            all.resize(place + 1, Stated::default());
        }
        let (of, text) = (&mut all[place], unescaped(text.trim()));
        let number =
            || text.parse().ok().filter(|number: &f64| number.is_finite() && (*number != 0.0 || key != "scale"));
        let wrong = || format!("the {key} of band {band} is {text:?}: it must be a number, a scale not 0");
        match key.as_str() {
            "scale" => of.scale = Some(number().ok_or_else(wrong)?),
            "offset" => of.offset = Some(number().ok_or_else(wrong)?),
            "description" => of.description = text,
            // The driver of landscape files names units in its own items.
            _ if is_unit => of.unit = Some(text),
            "nodatavalue" => of.no_data = Some(text.parse().map_err(|_| wrong())?),
            _ if key.ends_with("_unit_name") && !text.is_empty() => {
                of.unit.get_or_insert(text);
            }
            _ => {}
        }
    }
    if unit_of_file.is_some() {
        all.resize(all.len().max(MOST_BANDS), Stated::default());
        all.iter_mut().for_each(|band| band.unit_of_file.clone_from(&unit_of_file));
    }
    Ok(all)
}

/// Refuses a text that is no XML whose elements end, for a file beside a grid.
pub(super) fn check(xml: &str) -> Result<(), String> {
    let mut open: Vec<&str> = vec![];
    let mut rest = without_mark(xml).trim();
    let mut any = false;
    let damaged = |what: &str| format!("it is no XML that can be read ({what}): write it again, or remove it");
    while let Some(at) = rest.find('<') {
        if open.is_empty() && !rest[..at].trim().is_empty() {
            break;
        }
        rest = &rest[at..];
        let skipped = [("<?", "?>"), ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">")];
        if let Some((_, end)) = skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
            let (_, behind) = rest.split_once(end).ok_or_else(|| damaged("a part has no end"))?;
            rest = behind;
            continue;
        }
        let (tag, behind) = rest[1..].split_once('>').ok_or_else(|| damaged("a tag has no end"))?;
        let name = tag.trim_end_matches('/').split_whitespace().next().unwrap_or_default();
        if let Some(ended) = name.strip_prefix('/') {
            if open.pop() != Some(ended) {
                return Err(damaged(&format!("</{ended}> ends what does not begin")));
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        (rest, any) = (behind, true);
    }
    match open.last() {
        Some(name) => Err(damaged(&format!("<{name}> has no end"))),
        None if !any || !rest.trim().is_empty() => Err(damaged("there is text outside of its elements")),
        None => Ok(()),
    }
}

/// A file has at most so many bands that count.
const MOST_BANDS: usize = 64;

/// The text that an element of XML with this name has, the first of them.
pub(super) fn text_of(xml: &str, name: &str) -> Option<String> {
    elements(xml).find(|(tag, _)| tag.split_whitespace().next() == Some(name)).map(|(_, text)| unescaped(text.trim()))
}

/// The tags of a text, each with the text behind it, up to the next one.
fn elements(xml: &str) -> impl Iterator<Item = (&str, &str)> {
    xml.split('<').filter_map(|part| part.split_once('>'))
}

fn unescaped(text: &str) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.iter().fold(text.to_owned(), |text, (entity, letter)| text.replace(entity, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_bands_are_found() {
        let xml = "<GDALMetadata>\n <Item name=\"AREA\">x</Item>\n <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.1</Item>\
                   <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">5</Item>\
                   <Item name=\"UNITTYPE\" sample=\"2\" role=\"unittype\">m&amp;x</Item>\
                   <Item name=\"SLOPE_UNIT_NAME\" sample=\"1\">Percent</Item>\
                   <Item name=\"DESCRIPTION\" sample=\"1\" role=\"description\">SlpP</Item></GDALMetadata>";
        let found = bands(xml).unwrap();
        let unit = |place: usize| found[place].unit.as_deref();
        assert_eq!((found.len(), found[0].scale, found[0].offset), (3, Some(0.1), Some(5.0)));
        assert_eq!([unit(0), unit(1), unit(2)], [None, Some("Percent"), Some("m&x")]);
        assert_eq!(found[1].description, "SlpP");
        assert!(bands(&xml.replace("0.1", "tenth")).unwrap_err().contains("the scale of band 1 is \"tenth\""));
        assert!(bands(&xml.replace("0.1", "0")).is_err());
    }

    #[test]
    fn units_of_files_and_numbers_for_no_value_are_found() {
        let found = bands("<GDALMetadata><Item name=\"units\">percent</Item></GDALMetadata>").unwrap();
        assert_eq!((found[0].unit_of_file.as_deref(), &found[0].unit), (Some("percent"), &None));
        let xml = "<PAMDataset><PAMRasterBand band=\"2\"><NoDataValue>-1</NoDataValue></PAMRasterBand>\
                   <Metadata><MDI key=\"Units\">m</MDI></Metadata></PAMDataset>";
        let found = bands(xml).unwrap();
        assert_eq!(
            (found[1].no_data, &found[1].unit, found[1].unit_of_file.as_deref()),
            (Some(-1.0), &None, Some("m"))
        );
        assert!(bands(&xml.replace("-1", "none")).unwrap_err().contains("the nodatavalue of band 2 is \"none\""));
    }

    #[test]
    fn what_is_no_xml_is_refused() {
        for text in [
            "<a/>",
            "<?xml version=\"1.0\"?><!-- c > d --><a x=\"1\"><b>t</b><c/></a>\n",
            "\u{feff}<a><![CDATA[<]]></a>",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        for text in ["", "text", "<a>", "<a><b></a>", "</a>", "<a", "<!-- a", "<a/>b", "b<a/>"] {
            assert!(check(text).unwrap_err().contains("it is no XML that can be read"), "{text}");
        }
    }

    #[test]
    fn bands_beside_a_file_are_found() {
        let xml = "<PAMDataset>\n  <SRS>PROJCS[&quot;a&quot;]</SRS><PAMRasterBand band=\"1\">\n<Description>Elevation</Description>\
                   <UnitType>ft</UnitType><Offset>0</Offset><Scale>0.5</Scale></PAMRasterBand></PAMDataset>";
        let of = Stated { unit: Some("ft".into()), scale: Some(0.5), offset: Some(0.0), ..Stated::default() };
        assert_eq!(bands(xml), Ok(vec![Stated { description: "Elevation".into(), ..of }]));
        assert_eq!(text_of(xml, "SRS").as_deref(), Some("PROJCS[\"a\"]"));
        assert_eq!(bands("no < xml > at all <Item sample=\"9999999\" role=\"unittype\">m</Item>"), Ok(vec![]));
    }
}
