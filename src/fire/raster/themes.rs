//! What bands are, by their descriptions.

use super::Quantity;

/// The themes of a landscape in the order of its bands: of the ground, then of crowns.
const THEMES: [&str; 8] = [
    "elevation",
    "slope",
    "aspect",
    "fuel",
    "canopy cover",
    "canopy height",
    "canopy base height",
    "canopy bulk density",
];
/// Words that a description has of a theme, all of one list, and the place of the theme; the first that fits counts.
const WORDS: [(&[&str], usize); 27] = [
    (&["cbh"], 6),
    (&["canopy", "base"], 6),
    (&["crown", "base"], 6),
    (&["cbd"], 7),
    (&["canopy", "bulk"], 7),
    (&["crown", "bulk"], 7),
    (&["cc"], 4),
    (&["canopy", "cover"], 4),
    (&["crown", "cover"], 4),
    (&["tree", "cover"], 4),
    (&["canopycover"], 4),
    (&["ch"], 5),
    (&["canopy", "height"], 5),
    (&["tree", "height"], 5),
    (&["stand", "height"], 5),
    (&["canopyheight"], 5),
    (&["elev"], 0),
    (&["elevation"], 0),
    (&["dem"], 0),
    (&["slp"], 1),
    (&["slpd"], 1),
    (&["slpp"], 1),
    (&["slope"], 1),
    (&["asp"], 2),
    (&["aspect"], 2),
    (&["fbfm"], 3),
    (&["fuel"], 3),
];

/// The place of the theme that a description names.
fn theme(description: &str) -> Option<usize> {
    let lower = description.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphabetic()).collect();
    let has = |word: &&str| words.contains(word) || words.contains(&format!("{word}s").as_str());
    WORDS.iter().find(|(all, _)| all.iter().all(has)).map(|(_, theme)| *theme)
}

/// The band of each theme, from 0: by descriptions where each names another one, else in the usual order.
///
/// # Errors
/// Descriptions that contradict the usual order, where they do not give another one.
pub(super) fn order(descriptions: &[String]) -> Result<Vec<usize>, String> {
    let named: Vec<Option<usize>> = descriptions.iter().map(|text| theme(text)).collect();
    let bands = descriptions.len();
    if named.iter().enumerate().all(|(band, theme)| theme.is_none_or(|theme| theme == band)) {
        return Ok((0..bands).collect());
    }
    let found: Option<Vec<usize>> =
        (0..bands).map(|theme| named.iter().position(|named| *named == Some(theme))).collect();
    found.ok_or_else(|| {
        let described: Vec<String> = descriptions.iter().map(|text| format!("{text:?}")).collect();
        format!(
            "its bands are described as {}, and those of a landscape are {}: describe each by one of these, or put them in this order, as \
             with gdal_translate -b",
            described.join(", "),
            THEMES[..bands.min(THEMES.len())].join(", ")
        )
    })
}

/// Why a band with this description cannot be the one that is asked for.
pub(super) fn check(description: &str, quantity: Quantity) -> Result<(), String> {
    let asked = match quantity {
        Quantity::Elevation => 0,
        Quantity::Slope => 1,
        Quantity::Aspect => 2,
        Quantity::Fuel => 3,
        Quantity::CanopyCover => 4,
        Quantity::CanopyHeight => 5,
        _ => return Ok(()),
    };
    match theme(description) {
        Some(theme) if theme != asked => Err(format!(
            "its band is described as {description:?}, which is {}, and {} is asked for: give that grid, or describe it otherwise",
            THEMES[theme], THEMES[asked]
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_name_themes() {
        for (text, expected) in [
            ("LF2020_Elev_220", Some(0)),
            ("US_SLPD2020", Some(1)),
            ("LF2020_SlpP_220_CONUS", Some(1)),
            ("Aspect", Some(2)),
            ("US_200FBFM40", Some(3)),
            ("Fuel models", Some(3)),
            ("LF2022_CC_220", Some(4)),
            ("Canopy cover", Some(4)),
            ("LF2022_CH_220", Some(5)),
            ("Canopy height", Some(5)),
            ("Canopy base height", Some(6)),
            ("US_CBD", Some(7)),
            ("Band 1", None),
            ("", None),
        ] {
            assert_eq!(theme(text), expected, "{text}");
        }
    }

    #[test]
    fn bands_are_in_the_order_of_their_names_or_of_places() {
        let of = |names: &[&str]| order(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["", "", "", "", ""]), Ok(vec![0, 1, 2, 3, 4]));
        assert_eq!(of(&["Elev", "b", "c", "Fuel", ""]), Ok(vec![0, 1, 2, 3, 4]));
        assert_eq!(of(&["Elev", "Asp", "SlpD", "FBFM40", "CC"]), Ok(vec![0, 2, 1, 3, 4]));
        for names in [["Elev", "Asp", "b", "FBFM40", "CC"], ["Elev", "Asp", "Asp", "FBFM40", "CC"]] {
            let error = of(&names).unwrap_err();
            assert!(
                error.contains("\"Elev\", \"Asp\", ")
                    && error.contains("are elevation, slope, aspect, fuel, canopy cover:"),
                "{error}"
            );
        }
        assert_eq!(check("LF2020_SlpD_220", Quantity::Slope), Ok(()));
        assert_eq!(check("Canopy height", Quantity::Number), Ok(()));
        assert!(
            check("LF_CH", Quantity::CanopyCover)
                .unwrap_err()
                .contains("which is canopy height, and canopy cover is asked for")
        );
    }
}
