//! What a file states of its bands: units, scales and offsets, in the metadata of GDAL.

/// What is stated of a band.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stated {
    /// The unit of its values.
    pub(super) unit: Option<String>,
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
/// A scale or an offset that is no number.
pub(super) fn bands(xml: &str) -> Result<Vec<Stated>, String> {
    let mut all: Vec<Stated> = vec![];
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
            "UnitType" | "Scale" | "Offset" | "Description" => (current, name.to_lowercase()),
            "Item" | "MDI" => {
                let sample = attribute("sample").and_then(|sample| sample.parse::<usize>().ok());
                let key = attribute("role").or(attribute("name")).or(attribute("key")).unwrap_or_default();
                (sample.map_or(current, |sample| sample + 1), key.to_lowercase())
            }
            _ => continue,
        };
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
            "unittype" | "unit" | "units" if !text.is_empty() => of.unit = Some(text),
            _ if key.ends_with("_unit_name") && !text.is_empty() => {
                of.unit.get_or_insert(text);
            }
            _ => {}
        }
    }
    Ok(all)
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
    fn bands_beside_a_file_are_found() {
        let xml = "<PAMDataset>\n  <SRS>PROJCS[&quot;a&quot;]</SRS><PAMRasterBand band=\"1\">\n<Description>Elevation</Description>\
                   <UnitType>ft</UnitType><Offset>0</Offset><Scale>0.5</Scale></PAMRasterBand></PAMDataset>";
        let of = Stated { unit: Some("ft".into()), scale: Some(0.5), offset: Some(0.0), ..Stated::default() };
        assert_eq!(bands(xml), Ok(vec![Stated { description: "Elevation".into(), ..of }]));
        assert_eq!(text_of(xml, "SRS").as_deref(), Some("PROJCS[\"a\"]"));
        assert_eq!(bands("no < xml > at all <Item sample=\"9999999\" role=\"unittype\">m</Item>"), Ok(vec![]));
    }
}
