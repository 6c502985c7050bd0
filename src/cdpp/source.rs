//! The text of a rule file: the files that it includes, the macros that it uses, and the place of each character.

use std::collections::HashMap;

use super::error::{Fault, Location, RuleError};
use tickless_core::reading::without_mark;

/// The most characters of a file with everything it includes and uses: more come from a runaway macro.
const MOST_CHARACTERS: usize = 8 << 20;
/// The most characters of a line.
const LONGEST_LINE: usize = 1 << 16;
/// The deepest nesting of macros and files.
const DEEPEST: usize = 32;

/// The place of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    source: usize,
    /// From 0.
    line: usize,
    /// From 0, in characters.
    column: usize,
}

/// A part of a line, from one place on.
#[derive(Clone, Debug)]
pub(super) struct SourceLine {
    pub place: Place,
    pub text: String,
}

impl SourceLine {
    /// The part between two bytes.
    pub fn part(&self, start: usize, end: usize) -> Self {
        let before = self.text[..start].chars().count();
        let place = Place { column: self.place.column + before, ..self.place };
        Self { place, text: self.text[start..end].to_owned() }
    }
}

/// Goes through a line from left to right, so that its columns are counted once.
pub(super) struct Columns<'a> {
    source_line: &'a SourceLine,
    at: usize,
    column: usize,
}

impl<'a> Columns<'a> {
    pub fn new(source_line: &'a SourceLine) -> Self {
        Self { source_line, at: 0, column: source_line.place.column }
    }

    /// The place of a byte that is at or behind the last one asked for.
    pub fn place(&mut self, at: usize) -> Place {
        self.column += self.source_line.text[self.at..at].chars().count();
        self.at = at;
        Place { column: self.column, ..self.source_line.place }
    }

    /// The part from such a byte to another.
    pub fn part(&mut self, start: usize, end: usize) -> SourceLine {
        SourceLine { place: self.place(start), text: self.source_line.text[start..end].to_owned() }
    }
}

/// A line as it is after macros: parts of one or more lines.
pub(super) type Line = Vec<SourceLine>;

/// Every file that was read, for messages.
#[derive(Debug, Default)]
pub(super) struct Sources {
    files: Vec<(String, Vec<String>)>,
}

impl Sources {
    /// An error at a place.
    pub fn fail(&self, at: Place, fault: Fault) -> RuleError {
        let (file, lines) = &self.files[at.source];
        let text = lines.get(at.line).cloned().unwrap_or_default();
        let at = Location { file: file.clone(), line: at.line + 1, column: at.column + 1, text };
        RuleError::Text { at: Box::new(at), fault: Box::new(fault) }
    }

    /// Adds a file; returns the place of its start.
    pub fn add(&mut self, name: &str, text: &str) -> Place {
        let text = without_mark(text);
        self.files.push((name.to_owned(), text.lines().map(str::to_owned).collect()));
        Place { source: self.files.len() - 1, line: 0, column: 0 }
    }

    /// The lines of a file without their comments.
    pub fn lines(&self, start: Place) -> Vec<SourceLine> {
        let lines = self.files[start.source].1.iter().enumerate();
        let source_line = |(line, text): (usize, &String)| SourceLine {
            place: Place { line, ..start },
            text: without_comment(text).to_owned(),
        };
        lines.map(source_line).collect()
    }

    /// The name of the file of a place.
    pub fn name(&self, place: Place) -> &str {
        &self.files[place.source].0
    }

    /// The number of the line of a place, from 1.
    pub fn line(&self, place: Place) -> usize {
        place.line + 1
    }
}

/// A line without its comment: from `%` on, or all of it where it begins with a `#` and no word follows.
fn without_comment(line: &str) -> &str {
    let text = line.split('%').next().unwrap_or_default();
    let is_note = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphabetic());
    if text.trim_start().strip_prefix('#').is_some_and(is_note) { "" } else { text }
}

/// A function from a file name to its text, or to the reason why there is none.
pub(crate) type Resolver<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

/// A directive: `#name(argument)`.
struct Directive {
    /// Its name, in small letters.
    name: String,
    argument: SourceLine,
    /// Where it starts and ends, in bytes of the line.
    start: usize,
    end: usize,
}

/// The first directive of a line.
fn directive(sources: &Sources, source_line: &SourceLine) -> Result<Option<Directive>, RuleError> {
    let Some(start) = source_line.text.find('#') else { return Ok(None) };
    let rest = &source_line.text[start + 1..];
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let name = rest[..length].to_ascii_lowercase();
    let here = source_line.part(start, source_line.text.len()).place;
    if name == "endmacro" {
        let nothing = source_line.part(start, start);
        return Ok(Some(Directive { name, argument: nothing, start, end: start + 1 + length }));
    }
    if !["beginmacro", "macro", "include"].contains(&name.as_str()) {
        let known = "'#include(FILE)', '#Macro(NAME)', '#BeginMacro(NAME)' and '#EndMacro' are allowed".into();
        return Err(
            sources.fail(here, Fault::Unknown { what: "the directive".into(), name: format!("#{name}"), known })
        );
    }
    let open = rest[length..].find('(').filter(|at| rest[length..length + at].trim().is_empty());
    let close = rest.find(')');
    let (Some(open), Some(close)) = (open.map(|at| at + length), close) else {
        let found = format!("'#{name}'");
        return Err(sources.fail(here, Fault::Syntax { found, expected: format!("'#{name}(NAME)'") }));
    };
    let inner = &rest[open + 1..close.max(open + 1)];
    let first = start + 2 + open + (inner.len() - inner.trim_start().len());
    let argument = source_line.part(first, (first + inner.trim().len()).min(source_line.text.len()));
    Ok(Some(Directive { name, argument, start, end: start + 2 + close }))
}

/// A macro: where its name is, and its lines.
struct Macro {
    place: Place,
    body: Vec<SourceLine>,
}

/// All macros by their names, in small letters.
type Macros = HashMap<String, Macro>;

/// Reads a file and what it includes, takes the macros out, and puts them in where they are used.
pub(super) fn expand(sources: &mut Sources, start: Place, files: &mut Resolver) -> Result<Vec<Line>, RuleError> {
    let mut plain = vec![];
    include(sources, start, files, &mut Included::default(), &mut plain)?;
    let mut macros = Macros::new();
    let lines = take_macros(sources, plain, &mut macros)?;
    let mut all = Expansion { sources, macros: &macros, lines: vec![], characters: 0 };
    for line in lines {
        all.lines.push(vec![]);
        all.source_line(&line, &mut vec![])?;
    }
    Ok(all.lines)
}

/// The files that a line is within, and how much has been included, comments and all: each is kept for messages.
#[derive(Default)]
struct Included {
    within: Vec<String>,
    characters: usize,
}

/// The lines of a file, with the macros of the files that it includes in their places: nothing else of these files is used,
/// as in CD++.
fn include(
    sources: &mut Sources,
    start: Place,
    files: &mut Resolver,
    included: &mut Included,
    lines: &mut Vec<SourceLine>,
) -> Result<(), RuleError> {
    let whole = included.within.is_empty();
    included.within.push(sources.name(start).to_owned());
    let mut in_macro = false;
    for source_line in sources.lines(start) {
        if source_line.text.len() > LONGEST_LINE {
            return Err(sources
                .fail(source_line.place, Fault::Many { what: "characters of a line".into(), most: LONGEST_LINE }));
        }
        let found = directive(sources, &source_line);
        let (begins, ends) = match &found {
            Ok(Some(found)) => (found.name == "beginmacro", macro_end(&source_line).is_some()),
            _ => (false, false),
        };
        // Text that CD++ ignores may look like anything.
        let found = if whole || in_macro || begins { found? } else { found.unwrap_or(None) };
        let Some(found) = found.filter(|d| d.name == "include") else {
            in_macro |= begins;
            if whole || in_macro {
                lines.push(source_line);
            }
            in_macro &= !ends;
            continue;
        };
        if !source_line.text[..found.start].trim().is_empty() || !source_line.text[found.end..].trim().is_empty() {
            let expected = "a line with nothing but the '#include'".into();
            let fault = Fault::Syntax { found: format!("'{}'", source_line.text.trim()), expected };
            return Err(sources.fail(source_line.place, fault));
        }
        let name = found.argument.text.trim_matches('"').to_owned();
        let at = found.argument.place;
        if included.within.contains(&name) {
            return Err(sources.fail(at, Fault::Cycle { what: "the file".into(), name }));
        }
        if included.within.len() >= DEEPEST {
            return Err(sources.fail(at, Fault::Many { what: "files within each other".into(), most: DEEPEST }));
        }
        let text = files(&name).map_err(|why| sources.fail(at, Fault::File { name: name.clone(), why }))?;
        included.characters += text.len();
        if included.characters > MOST_CHARACTERS {
            let what = "characters of files that are included".into();
            return Err(sources.fail(at, Fault::Many { what, most: MOST_CHARACTERS }));
        }
        let start = sources.add(&name, &text);
        include(sources, start, files, included, lines)?;
    }
    included.within.pop();
    Ok(())
}

/// The start of '#EndMacro'.
fn macro_end(source_line: &SourceLine) -> Option<usize> {
    source_line.text.to_ascii_lowercase().find("#endmacro")
}

/// Separates the macros from the other lines.
fn take_macros(sources: &Sources, plain: Vec<SourceLine>, macros: &mut Macros) -> Result<Vec<SourceLine>, RuleError> {
    let wrong = |place: Place, found: &str, expected: &str| {
        sources.fail(place, Fault::Syntax { found: found.into(), expected: expected.into() })
    };
    let mut lines = vec![];
    let mut open: Option<(String, Macro)> = None;
    for mut source_line in plain {
        let found = directive(sources, &source_line)?.filter(|d| d.name == "beginmacro");
        if let Some(Directive { argument, end, .. }) = found {
            if open.is_some() {
                return Err(wrong(source_line.place, "'#BeginMacro'", "'#EndMacro'"));
            }
            let name = argument.text.to_ascii_lowercase();
            open = Some((name, Macro { place: argument.place, body: vec![] }));
            // A macro begins on the next line, unless it ends on this one.
            let rest = source_line.part(end, source_line.text.len());
            source_line = if macro_end(&rest).is_some() { rest } else { rest.part(0, 0) };
        }
        match (open.take(), macro_end(&source_line)) {
            (Some((name, mut full)), Some(end)) => {
                full.body.push(source_line.part(0, end));
                // Of macros of one name CD++ takes the first.
                macros.entry(name).or_insert(full);
            }
            (Some((name, mut full)), None) => {
                full.body.push(source_line);
                open = Some((name, full));
            }
            (None, Some(_)) => return Err(wrong(source_line.place, "'#EndMacro'", "'#BeginMacro(NAME)' before it")),
            (None, None) => lines.push(source_line),
        }
    }
    match open {
        Some((_, open)) => Err(wrong(open.place, "no end of the macro", "'#EndMacro'")),
        None => Ok(lines),
    }
}

struct Expansion<'a> {
    sources: &'a Sources,
    macros: &'a Macros,
    lines: Vec<Line>,
    characters: usize,
}

impl Expansion<'_> {
    /// Adds a source_line to the last line, with macros in their places.
    fn source_line(&mut self, source_line: &SourceLine, within: &mut Vec<String>) -> Result<(), RuleError> {
        let mut rest = source_line.clone();
        loop {
            self.characters += rest.text.len() + 1;
            if self.characters > MOST_CHARACTERS {
                let fault = Fault::Many { what: "characters after macros".into(), most: MOST_CHARACTERS };
                return Err(self.sources.fail(rest.place, fault));
            }
            let Some(found) = directive(self.sources, &rest)? else {
                self.last().push(rest);
                return Ok(());
            };
            self.last().push(rest.part(0, found.start));
            self.body(&found, within)?;
            rest = rest.part(found.end, rest.text.len());
        }
    }

    /// Adds the lines of the macro that a directive names.
    fn body(&mut self, found: &Directive, within: &mut Vec<String>) -> Result<(), RuleError> {
        let at = found.argument.place;
        let name = found.argument.text.to_ascii_lowercase();
        let Some(used) = self.macros.get(&name).filter(|_| found.name == "macro") else {
            let known = "'#BeginMacro(NAME)' defines one".into();
            return Err(self.sources.fail(at, Fault::Unknown { what: "the macro".into(), name, known }));
        };
        if within.contains(&name) {
            return Err(self.sources.fail(at, Fault::Cycle { what: "the macro".into(), name }));
        }
        if within.len() >= DEEPEST {
            return Err(self.sources.fail(at, Fault::Many { what: "macros within each other".into(), most: DEEPEST }));
        }
        within.push(name);
        for (n, line) in used.body.iter().filter(|line| !line.text.trim().is_empty()).enumerate() {
            if n > 0 {
                self.lines.push(vec![]);
            }
            self.source_line(line, within)?;
        }
        within.pop();
        Ok(())
    }

    fn last(&mut self) -> &mut Line {
        self.lines.last_mut().expect("a line was begun")
    }
}
