//! Models of JMT (Java Modelling Tools, `.jsimg` and `.jsimw`) as network files. `docs/jmt.md` says what is read.

mod beside;
mod choices;
mod disciplines;
mod fault;
mod flow;
mod gates;
mod laws;
mod model;
mod orders;
mod preferences;
mod regions;
mod results;
mod room;
mod servers;
mod stations;
#[cfg(test)]
mod tests;
mod write;
mod xml;

pub use fault::JmtError;
pub use results::JmtMeasure;

/// A model of JMT.
#[derive(Clone, Debug, PartialEq)]
pub struct FromJmt {
    /// The text of the network file.
    pub toml: String,
    /// What JMT found, if the file has its results.
    pub results: Vec<JmtMeasure>,
}

/// Reads a model of JMT: an `<archive>` with a `<sim>`, or a `<sim>`.
///
/// # Errors
/// [`JmtError`], which names the line and the node, of whatever has no equal here.
pub fn from_jmt(text: &str) -> Result<FromJmt, JmtError> {
    let document = xml::document(text)?;
    let root = document.root_element();
    let sim = if root.has_tag_name("sim") { Some(root) } else { xml::children(root, "sim").next() };
    let Some(sim) = sim else {
        return Err(fault::wrong(root, root.tag_name().name(), "an <archive> with a <sim>, or a <sim>"));
    };
    Ok(FromJmt { toml: write::toml(&model::Model::read(sim)?)?, results: results::measures(root, sim) })
}

/// Whether the contents of a file are XML, which no network file is.
pub fn is_xml(contents: &[u8]) -> bool {
    let text = contents.strip_prefix(b"\xef\xbb\xbf").unwrap_or(contents);
    text.trim_ascii_start().starts_with(b"<")
}

/// The text of a file in XML: UTF-8, or Latin-1, in which JMT writes, where the first line says so.
pub fn decoded(contents: Vec<u8>) -> Result<String, std::string::FromUtf8Error> {
    let first = contents.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_latin = String::from_utf8_lossy(first).to_ascii_lowercase().contains("iso-8859-1");
    if is_latin { Ok(contents.into_iter().map(char::from).collect()) } else { String::from_utf8(contents) }
}
