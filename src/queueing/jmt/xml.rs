//! The elements of a file of JMT: parameters by name and by class, and their places.

use super::fault::{JmtError, missing, wrong};

/// An element.
pub(super) type Xml<'a> = roxmltree::Node<'a, 'a>;

/// The line of an element.
pub(super) fn line(element: Xml<'_>) -> usize {
    element.document().text_pos_at(element.range().start).row as usize
}

/// Where an element stands, in words: node, section, parameter, class.
pub(super) fn place(element: Xml<'_>) -> String {
    let said = |element: Xml<'_>| {
        let name = element.attribute("name").unwrap_or_default();
        match element.tag_name().name() {
            "node" => Some(format!("node '{name}'")),
            "userClass" => Some(format!("class '{name}'")),
            "blockingRegion" => Some(format!("region '{name}'")),
            "section" => Some(format!("section {}", element.attribute("className").unwrap_or_default())),
            "parameter" => Some(format!("parameter {name}")),
            "subParameter" => classes_before(element).last().map(|class| format!("class '{class}'")),
            _ => None,
        }
    };
    let mut parts: Vec<String> = element.ancestors().filter_map(said).collect();
    parts.reverse();
    parts.join(", ")
}

/// The elements of a name below an element.
pub(super) fn children<'a>(element: Xml<'a>, tag: &'static str) -> impl Iterator<Item = Xml<'a>> {
    element.children().filter(move |child| child.has_tag_name(tag))
}

/// A required attribute.
pub(super) fn attribute<'a>(element: Xml<'a>, name: &str) -> Result<&'a str, JmtError> {
    element
        .attribute(name)
        .ok_or_else(|| missing(element, format!("the attribute `{name}` of <{}>", element.tag_name().name())))
}

/// A number of an attribute; `None` where there is none, or one below 0, by which JMT says that there is no limit.
pub(super) fn limit(element: Xml<'_>, name: &str) -> Result<Option<f64>, JmtError> {
    let Some(text) = element.attribute(name) else { return Ok(None) };
    let number = text.parse::<f64>().map_err(|_| wrong(element, text, format!("a number in `{name}`")))?;
    Ok(Some(number).filter(|number| *number >= 0.0 && number.is_finite()))
}

/// The name of the Java class of a parameter, without its package.
pub(super) fn kind<'a>(parameter: Xml<'a>) -> &'a str {
    parameter.attribute("classPath").and_then(|path| path.rsplit('.').next()).unwrap_or_default()
}

/// A parameter by its name, if it is there.
pub(super) fn find<'a>(element: Xml<'a>, name: &str) -> Option<Xml<'a>> {
    let mut parameters = element.children().filter(|child| child.is_element());
    parameters.find(|child| child.attribute("name") == Some(name))
}

/// A parameter by its name.
pub(super) fn parameter<'a>(element: Xml<'a>, name: &str) -> Result<Xml<'a>, JmtError> {
    find(element, name).ok_or_else(|| missing(element, format!("the parameter `{name}`")))
}

/// The value of a parameter, if it has one that is not `null`.
pub(super) fn value<'a>(parameter: Xml<'a>) -> Option<&'a str> {
    let text = children(parameter, "value").next()?.text().unwrap_or_default().trim();
    Some(text).filter(|text| *text != "null")
}

/// The value of a parameter as something that is read from a text.
pub(super) fn parsed<T: std::str::FromStr>(parameter: Xml<'_>, allowed: &str) -> Result<T, JmtError> {
    let text = value(parameter).ok_or_else(|| missing(parameter, "a value"))?;
    text.parse().map_err(|_| wrong(parameter, text, allowed))
}

/// A number by the name of its parameter.
pub(super) fn number(element: Xml<'_>, name: &str) -> Result<f64, JmtError> {
    finite(parameter(element, name)?)
}

/// A finite number.
fn finite(parameter: Xml<'_>) -> Result<f64, JmtError> {
    let number: f64 = parsed(parameter, "a number")?;
    if number.is_finite() { Ok(number) } else { Err(wrong(parameter, number.to_string(), "a finite number")) }
}

/// A whole number by the name of its parameter.
pub(super) fn whole(element: Xml<'_>, name: &str) -> Result<i64, JmtError> {
    parsed(parameter(element, name)?, "a whole number")
}

/// The parameters in an array.
pub(super) fn entries<'a>(array: Xml<'a>) -> impl Iterator<Item = Xml<'a>> {
    children(array, "subParameter")
}

/// The classes that stand between an entry of an array and the entry before it.
fn classes_before<'a>(entry: Xml<'a>) -> Vec<&'a str> {
    let before = entry.prev_siblings().skip(1).take_while(|sibling| !sibling.has_tag_name("subParameter"));
    before.filter(|sibling| sibling.has_tag_name("refClass")).filter_map(|class| Some(class.text()?.trim())).collect()
}

/// The entry of a class in an array: by the class that stands before it, or where none do by its number.
pub(super) fn of_class<'a>(array: Xml<'a>, class: (usize, &str)) -> Option<Xml<'a>> {
    let found = entries(array).find(|entry| classes_before(*entry).contains(&class.1));
    found.or_else(|| entries(array).nth(class.0).filter(|entry| classes_before(*entry).is_empty()))
}

/// The rows of a matrix.
pub(super) fn matrix(element: Xml<'_>, name: &str) -> Result<Vec<Vec<f64>>, JmtError> {
    let row = |row: Xml<'_>| entries(row).map(finite).collect();
    entries(parameter(element, name)?).map(row).collect()
}

/// The elements of a text.
pub(super) fn document(text: &str) -> Result<roxmltree::Document<'_>, JmtError> {
    roxmltree::Document::parse(text).map_err(|error| {
        let fault = format!("it is no XML: {error}");
        JmtError { line: error.pos().row as usize, place: String::new(), fault }
    })
}
