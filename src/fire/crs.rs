//! The coordinate system that a GeoJSON file names, compared with that of the landscape.

use geojson::{GeoJson, JsonObject, JsonValue};

use super::raster::{Unit, unit};
use super::{FireError, Landscape};

/// The EPSG code that a file names as its `crs`, in the form of the standard of 2008; `None` where it names none.
///
/// # Errors
/// [`FireError::Read`] where it names degrees, or something else than a code.
pub(super) fn code(read: &GeoJson, file: &str) -> Result<Option<u16>, FireError> {
    let members = match read {
        GeoJson::FeatureCollection(all) => &all.foreign_members,
        GeoJson::Feature(feature) => &feature.foreign_members,
        GeoJson::Geometry(geometry) => &geometry.foreign_members,
    };
    let Some(crs) = members.as_ref().and_then(|members| members.get("crs")).filter(|crs| !crs.is_null()) else {
        return Ok(None);
    };
    let properties = crs.get("properties").and_then(JsonValue::as_object);
    let name = properties.and_then(|properties: &JsonObject| properties.get("name")?.as_str());
    let shown = name.map_or_else(|| crs.to_string(), str::to_owned);
    let failed = |why: &str| FireError::Read { file: file.into(), cause: format!("its crs is {shown}{why}") };
    let words: Vec<&str> = name.unwrap_or_default().split(':').collect();
    match words[..] {
        [.., authority, _, code] | [authority, code] if authority.eq_ignore_ascii_case("epsg") => match code.parse() {
            Ok(code) => match unit(code) {
                Unit::Degrees => Err(failed(IN_DEGREES)),
                Unit::Others => Err(failed(NO_METRES)),
                Unit::Metres | Unit::Unknown => Ok(Some(code)),
            },
            Err(_) => Err(failed(NO_CODE)),
        },
        [.., code] if code.eq_ignore_ascii_case("crs84") => Err(failed(IN_DEGREES)),
        _ => Err(failed(NO_CODE)),
    }
}

const IN_DEGREES: &str =
    ", whose coordinates are degrees: give it in those of the grids, as with ogr2ogr -t_srs and their EPSG code";
const NO_METRES: &str =
    ", whose coordinates are no metres: give it in those of the grids, as with ogr2ogr -t_srs and their EPSG code";
const NO_CODE: &str = ", and codes of the EPSG are compared: name it by one as in urn:ogc:def:crs:EPSG::5070, or leave it out where \
                       its coordinates are those of the grids";

/// Refuses a code that differs from that of the landscape, where the landscape has one.
pub(super) fn check(code: Option<u16>, file: &str, landscape: &Landscape) -> Result<(), FireError> {
    match (code, landscape.projection().and_then(|projection| projection.epsg())) {
        (Some(found), Some(expected)) if found != expected => {
            let cause = format!(
                "its crs is EPSG:{found}, and the projection of the landscape is EPSG:{expected}: give it in that, as with \
                 ogr2ogr -t_srs EPSG:{expected}"
            );
            Err(FireError::Read { file: file.into(), cause })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(crs: &str) -> Result<Option<u16>, String> {
        let text = format!(r#"{{ "type": "Point", "coordinates": [0, 0], "crs": {crs} }}"#);
        code(&text.parse().unwrap(), "p.json").map_err(|error| error.to_string())
    }

    #[test]
    fn codes_are_read_and_other_names_refused() {
        let named = |name: &str| of(&format!(r#"{{ "type": "name", "properties": {{ "name": "{name}" }} }}"#));
        for name in ["urn:ogc:def:crs:EPSG::5070", "urn:ogc:def:crs:epsg:6.9:5070", "EPSG:5070"] {
            assert_eq!(named(name), Ok(Some(5070)), "{name}");
        }
        assert_eq!(of("null"), Ok(None));
        for name in ["urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4269"] {
            let error = named(name).unwrap_err();
            assert!(error.contains(name) && error.contains("degrees"), "{error}");
        }
        assert!(named("EPSG:2225").unwrap_err().contains("its crs is EPSG:2225, whose coordinates are no metres"));
        // A projected system among codes of degrees.
        assert_eq!(named("EPSG:4647"), Ok(Some(4647)));
        for name in ["ESRI:102008", "EPSG:x", "5070", ""] {
            assert!(named(name).unwrap_err().contains(&format!("its crs is {name}, and codes of the EPSG")), "{name}");
        }
        assert!(of(r#"{ "type": "link" }"#).unwrap_err().contains(r#"its crs is {"type":"link"}, and codes"#));
    }
}
