//! A WGSL module: its imports, its declarations, and the names that each declaration uses.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::error::LinkError;
use super::own::looked_after;
use super::token::{Token, TokenKind, closings, tokens};

/// The most words between two commas, semicolons or braces of a user's own text.
const MOST_WORDS: usize = 1000;
/// The most `else` behind one `if` there.
const MOST_ELSE: usize = 100;

/// The origin of an imported name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A file of `shaders/`, by its stem: `import package::lib::time::{Time};`.
    File(String),
    /// A module that a kernel mounts under this name: `import topology::{site_of};`.
    Choice(String),
}

/// The kind of a declaration, as far as linking differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Function,
    /// A buffer, which gets a number.
    Buffer,
    /// A variable of a thread or workgroup, a constant, a type.
    Other,
}

/// A declaration.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) kind: ItemKind,
    /// The text, with the comment above it.
    pub(super) text: Range<usize>,
    /// Its place among the tokens of the module.
    pub(super) tokens: Range<usize>,
    /// Names of the module or of others that it uses.
    pub(super) uses: BTreeSet<String>,
}

/// A module.
#[derive(Clone, Debug)]
pub(super) struct Module {
    /// The stem of its file, or the name under which it is mounted.
    pub(super) name: String,
    pub(super) text: String,
    /// The text of a user's own module as it was given.
    pub(super) own: Option<String>,
    /// Whether its indices are checked, and it has any.
    pub(super) indexed: bool,
    pub(super) tokens: Vec<Token>,
    /// Where lines end.
    ends: Vec<usize>,
    /// The token that closes the bracket of each token; the number of tokens where there is none.
    closings: Vec<usize>,
    /// The places of declarations by their names.
    places: HashMap<String, usize>,
    pub(super) imports: BTreeMap<String, Origin>,
    pub(super) items: Vec<Item>,
}

impl Module {
    /// Finds imports and declarations of a text.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, LinkError> {
        let tokens = tokens(text);
        let mut module = Self {
            name: name.to_owned(),
            text: text.to_owned(),
            own: None,
            indexed: false,
            ends: text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect(),
            closings: closings(text, &tokens),
            places: HashMap::new(),
            tokens,
            imports: BTreeMap::new(),
            items: vec![],
        };
        let mut at = 0;
        while at < module.tokens.len() {
            let end = module.end_of_statement(at);
            match module.word(at) {
                "import" => module.import(at + 1..end)?,
                ";" => {}
                _ => {
                    let item = module.item(at..end)?;
                    if module.places.insert(item.name.clone(), module.items.len()).is_some() {
                        return Err(LinkError::Ambiguous {
                            name: item.name,
                            modules: [name.to_owned(), name.to_owned()],
                        });
                    }
                    module.items.push(item);
                }
            }
            at = end;
        }
        // What a user's indices are held against is imported behind the user's text, too.
        match module.imports.iter().find(|(name, _)| module.places.contains_key(*name)) {
            None => Ok(module),
            Some((imported, Origin::File(owner) | Origin::Choice(owner))) => {
                Err(LinkError::Ambiguous { name: imported.clone(), modules: [name.to_owned(), owner.clone()] })
            }
        }
    }

    /// The same for a user's own text.
    pub(super) fn own(name: &str, text: &str, checked: bool) -> Result<Self, LinkError> {
        let module = Self::parse(name, text)?;
        module.check_depth()?;
        let module = if checked { Self::parse(name, &looked_after(&module))? } else { module };
        let functions = module.items.iter().filter(|item| item.kind == ItemKind::Function);
        let indexed = checked && functions.flat_map(|item| item.tokens.clone()).any(|at| module.word(at) == "[");
        Ok(Self { own: Some(text.to_owned()), indexed, ..module })
    }

    /// Refuses text that would overflow the stack of a compiler, and so end the process: it recurses for every operator of a
    /// chain, and for every `else` behind one `if`.
    fn check_depth(&self) -> Result<(), LinkError> {
        let (mut words, mut chains) = (0, vec![0]);
        for at in 0..self.tokens.len() {
            words += 1;
            match self.word(at) {
                "," | ";" => words = 0,
                "{" => {
                    words = 0;
                    chains.push(0);
                }
                "}" => {
                    words = 0;
                    chains.pop();
                    if let Some(chain) = chains.last_mut().filter(|_| self.word(at + 1) != "else") {
                        *chain = 0;
                    }
                }
                "else" => chains.last_mut().into_iter().for_each(|chain| *chain += 1),
                _ => {}
            }
            if words > MOST_WORDS {
                return Err(self.fault(at, "the end of a statement, which has at most 1000 words,"));
            }
            if chains.last().is_some_and(|chain| *chain > MOST_ELSE) {
                return Err(self.fault(at, "the end of an 'if', which has at most 100 'else',"));
            }
        }
        Ok(())
    }

    /// The line of a place of the text, from 1 on.
    pub(super) fn line_of(&self, place: usize) -> usize {
        self.ends.partition_point(|end| *end < place) + 1
    }

    /// The text of a token; nothing behind the end.
    pub(super) fn word(&self, token: usize) -> &str {
        self.tokens.get(token).map_or("", |token| &self.text[token.range.clone()])
    }

    /// All words of the text.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let words = self.tokens.iter().filter(|token| token.kind == TokenKind::Word);
        words.map(|token| &self.text[token.range.clone()])
    }

    /// The declaration of a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Imported names that no declaration uses.
    #[cfg(test)]
    pub(super) fn unused(&self) -> Vec<&str> {
        let used = |name: &str| self.items.iter().any(|item| item.uses.contains(name));
        self.imports.keys().map(String::as_str).filter(|name| !used(name)).collect()
    }

    fn fault(&self, token: usize, expected: &'static str) -> LinkError {
        let start = self.tokens.get(token).map_or(self.text.len(), |token| token.range.start);
        let line = self.line_of(start);
        LinkError::Syntax { module: self.name.clone(), line, found: self.word(token).to_owned(), expected }
    }

    /// The token behind a statement: behind its semicolon, or the brace that closes its body.
    fn end_of_statement(&self, begin: usize) -> usize {
        let mut depth = 0_i32;
        let imports = self.word(begin) == "import";
        for at in begin..self.tokens.len() {
            match self.word(at) {
                "{" => depth += 1,
                "}" => depth -= 1,
                ";" if depth == 0 => return at + 1,
                _ => continue,
            }
            if depth == 0 && !imports {
                // A semicolon behind a brace is an empty statement.
                return at + 1;
            }
        }
        self.tokens.len()
    }

    /// `package::lib::time::{Time, never};` or `topology::site_of;`.
    fn import(&mut self, range: Range<usize>) -> Result<(), LinkError> {
        let mut path = vec![];
        let mut at = range.start;
        while self.word(at + 1) == "::" {
            path.push(self.word(at).to_owned());
            at += 2;
        }
        let names = if self.word(at) == "{" { at + 1..range.end - 2 } else { at..range.end - 1 };
        let origin = match path.split_first() {
            Some((first, [])) if first != "package" => Origin::Choice(first.clone()),
            Some((first, rest)) if first == "package" && !rest.is_empty() => Origin::File(rest.join("/")),
            _ => return Err(self.fault(range.start, "package::folder::file::{names} or choice::{names}")),
        };
        for at in names {
            match (self.tokens[at].kind, self.word(at)) {
                (TokenKind::Word, name) => {
                    if self.imports.insert(name.to_owned(), origin.clone()).is_some() {
                        return Err(self.fault(at, "a name that is imported one time"));
                    }
                }
                (_, ",") => {}
                _ => return Err(self.fault(at, "a name")),
            }
        }
        Ok(())
    }

    fn item(&self, range: Range<usize>) -> Result<Item, LinkError> {
        let mut keyword = range.start;
        while self.word(keyword) == "@" {
            keyword += 2;
            if self.word(keyword) == "(" {
                keyword = self.closing(keyword) + 1;
            }
        }
        let (kind, name) = match self.word(keyword) {
            "fn" => (ItemKind::Function, keyword + 1),
            "struct" | "alias" | "const" | "override" => (ItemKind::Other, keyword + 1),
            "var" if self.word(keyword + 1) == "<" => {
                let space = self.word(keyword + 2);
                let kind = if matches!(space, "storage" | "uniform") { ItemKind::Buffer } else { ItemKind::Other };
                (kind, (keyword..range.end).find(|&at| self.word(at) == ">").unwrap_or(range.end) + 1)
            }
            _ => return Err(self.fault(keyword, "import, fn, struct, alias, const, override or var<...>")),
        };
        if kind == ItemKind::Buffer && keyword != range.start {
            return Err(self.fault(range.start, "a buffer without a number: the linker numbers them"));
        }
        if self.tokens.get(name).is_none_or(|token| token.kind != TokenKind::Word) {
            return Err(self.fault(name, "a name"));
        }
        let mut uses = self.uses(range.start..name);
        uses.append(&mut self.uses(name + 1..range.end));
        Ok(Item { name: self.word(name).to_owned(), kind, text: self.text_of(&range), tokens: range, uses })
    }

    /// The token that closes a bracket; for another token, the token itself.
    pub(super) fn closing(&self, opening: usize) -> usize {
        self.closings.get(opening).copied().unwrap_or(self.tokens.len())
    }

    /// With the comment lines right above, if the range begins a line, and a comment behind it on its last line.
    fn text_of(&self, range: &Range<usize>) -> Range<usize> {
        let mut begin = self.tokens[range.start].range.start;
        let line = self.text[..begin].rfind('\n').map_or(0, |line| line + 1);
        if self.text[line..begin].trim().is_empty() {
            begin = self.comment_above(line);
        }
        let end = self.tokens[range.end - 1].range.end;
        let line = self.text[end..].find('\n').map_or(self.text.len(), |length| end + length);
        begin..if self.text[end..line].trim_start().starts_with("//") { line } else { end }
    }

    /// The first of the comment lines right above a line, or else the line.
    fn comment_above(&self, line: usize) -> usize {
        let mut begin = line;
        while begin > 0 {
            let above = self.text[..begin - 1].rfind('\n').map_or(0, |line| line + 1);
            if !self.text[above..].starts_with("//") {
                break;
            }
            begin = above;
        }
        begin
    }

    /// The names that a part of a declaration uses, except its own parameters, members and local variables.
    fn uses(&self, range: Range<usize>) -> BTreeSet<String> {
        let word = |at: usize| self.word(at);
        let mut locals = BTreeSet::new();
        let mut candidates = vec![];
        let mut at = range.start;
        while at < range.end {
            let (name, before) = (word(at), if at > range.start { word(at - 1) } else { "" });
            if name == "@" {
                // The argument of an attribute of the language is no name of a module.
                let builtin = matches!(word(at + 1), "builtin" | "interpolate");
                at = if builtin { self.closing(at + 2) } else { at + 1 };
            } else if self.tokens[at].kind == TokenKind::Word && before != "." {
                // A parameter, a member or a typed variable; the colon of `case` and `default` has a brace behind it.
                let is_new = matches!(before, "let" | "const")
                    || (word(at + 1) == ":" && before != "case" && name != "default")
                    || (before == "var" || (before == ">" && self.is_variable(at)));
                if is_new {
                    locals.insert(name.to_owned());
                } else {
                    candidates.push((name.to_owned(), word(at + 1) == "("));
                }
            }
            at += 1;
        }
        // A local variable is never called, but a function of its name may be.
        let used = candidates.into_iter().filter(|(name, called)| *called || !locals.contains(name));
        used.map(|(name, _)| name).collect()
    }

    /// Whether the name behind a closing bracket is that of `var<...> name`.
    fn is_variable(&self, name: usize) -> bool {
        // At most `var`, `<`, an address space, a comma, an access, a comma and `>`.
        let opening = (name.saturating_sub(7)..name).rev().find(|&at| self.word(at) == "<");
        opening.is_some_and(|at| at > 0 && self.word(at - 1) == "var")
    }
}
