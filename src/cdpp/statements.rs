//! Sections and the statements in them: `[name]`, then `key : value`, where a value goes on until the next key.

use std::collections::HashMap;

use super::error::{Fault, RuleError};
use super::source::{Columns, Line, Place, SourceLine, Sources};

/// A section.
#[derive(Debug)]
pub(super) struct Section {
    /// Its name, in small letters.
    pub name: String,
    pub place: Place,
    pub statements: Vec<Statement>,
    /// The first line before all statements that is none.
    stray: Option<SourceLine>,
}

impl Section {
    /// Refuses a section with text before its statements: where something names it. CD++ reads no others.
    pub fn check(&self, sources: &Sources) -> Result<(), RuleError> {
        let Some(line) = &self.stray else { return Ok(()) };
        let expected = "'KEY : VALUE'".into();
        Err(sources.fail(line.place, Fault::Syntax { found: shown(&line.text), expected }))
    }
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// In small letters.
    pub key: String,
    pub place: Place,
    pub value: Vec<SourceLine>,
}

impl Statement {
    /// The value as one text without the space around it, and where it starts.
    pub fn text(&self) -> (String, Place) {
        let first = self.value.iter().find(|source_line| !source_line.text.trim().is_empty());
        let place = first.map_or(self.place, |source_line| {
            source_line.part(source_line.text.len() - source_line.text.trim_start().len(), source_line.text.len()).place
        });
        let text: Vec<&str> = self.value.iter().map(|source_line| source_line.text.trim()).collect();
        (text.join(" ").trim().to_owned(), place)
    }

    /// The words of the value.
    pub fn words(&self) -> Vec<SourceLine> {
        let mut words = vec![];
        for source_line in &self.value {
            let (mut start, mut columns) = (None, Columns::new(source_line));
            for (at, c) in source_line.text.char_indices().chain([(source_line.text.len(), ' ')]) {
                match start {
                    None if !c.is_whitespace() => start = Some(at),
                    Some(first) if c.is_whitespace() => {
                        words.push(columns.part(first, at));
                        start = None;
                    }
                    _ => {}
                }
            }
        }
        words
    }
}

/// The sign before keys that CD++ does not know in a section of rules, as in `$cell : 1`, and so does not read.
pub(super) const IDLE: char = '$';

/// The key at the start of a line, and the bytes that it takes with its colon.
fn key(text: &str) -> Option<(&str, usize)> {
    let colon = text.find(':')?;
    let name = text[..colon].trim();
    let plain = name.trim_start_matches(IDLE).starts_with(|c: char| c.is_ascii_alphabetic())
        && name.trim_start_matches(IDLE).chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    (plain && !text[colon + 1..].starts_with('=')).then_some((name, colon + 1))
}

/// Splits lines into sections. A section with the name of an earlier one continues it, as in CD++.
pub(super) fn sections(sources: &Sources, lines: Vec<Line>) -> Result<Vec<Section>, RuleError> {
    let mut found: Vec<Section> = vec![];
    let mut places: HashMap<String, usize> = HashMap::new();
    let (mut open, mut braces) = (None, 0);
    for line in lines {
        let Some(first) = line.iter().position(|source_line| !source_line.text.trim().is_empty()) else { continue };
        let head = &line[first];
        let blank = head.text.len() - head.text.trim_start().len();
        let head = head.part(blank, head.text.len());
        let count = |sign: char| line.iter().map(|part| part.text.matches(sign).count() as i64).sum::<i64>();
        let before = braces;
        braces += count('{') - count('}');
        // Within braces a bracket begins a tuple, unless the line is a name in brackets: closing braces may be missing.
        if head.text.starts_with('[') && (before <= 0 || is_heading(&head.text)) {
            braces = 0;
            let section = heading(sources, &head, &line[first + 1..])?;
            open = Some(*places.entry(section.name.clone()).or_insert(found.len()));
            if open == Some(found.len()) {
                found.push(section);
            }
            continue;
        }
        let Some(section) = open.and_then(|at| found.get_mut(at)) else {
            let expected = "the section '[top]'".into();
            return Err(sources.fail(head.place, Fault::Syntax { found: shown(&head.text), expected }));
        };
        if let Some((key, length)) = key(&head.text) {
            braces = count('{') - count('}');
            let mut value = vec![head.part(length, head.text.len())];
            value.extend_from_slice(&line[first + 1..]);
            section.statements.push(Statement { key: key.to_ascii_lowercase(), place: head.place, value });
        } else if let Some(last) = section.statements.last_mut() {
            last.value.push(head);
            last.value.extend_from_slice(&line[first + 1..]);
        } else {
            section.stray.get_or_insert(head);
        }
    }
    Ok(found)
}

/// Whether a line is a name in brackets.
fn is_heading(text: &str) -> bool {
    let inner = text[1..].trim_end().strip_suffix(']').map_or("", str::trim);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_- ".contains(c);
    inner.starts_with(|c: char| c.is_ascii_alphabetic()) && inner.chars().all(is_plain)
}

/// A line `[name]`.
fn heading(sources: &Sources, head: &SourceLine, rest: &[SourceLine]) -> Result<Section, RuleError> {
    let text = head.text.trim_end();
    let inner = text[1..].strip_suffix(']').map(str::trim).filter(|name| !name.is_empty());
    match inner {
        Some(name) if rest.iter().all(|source_line| source_line.text.trim().is_empty()) => {
            Ok(Section { name: name.to_ascii_lowercase(), place: head.place, statements: vec![], stray: None })
        }
        _ => Err(sources.fail(head.place, Fault::Syntax { found: shown(text), expected: "'[NAME]'".into() })),
    }
}

/// Text as a message shows it: its first word.
pub(super) fn shown(text: &str) -> String {
    match text.split_whitespace().next() {
        Some(word) => format!("'{}'", word.chars().take(40).collect::<String>()),
        None => "nothing".into(),
    }
}
