//! Links modules: all declarations that a kernel reaches, and no others, in one text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::access::is_written;
use super::choices::CHOICES;
use super::error::LinkError;
use super::module::{Item, ItemKind, Module, Origin};
use super::mounts::{Mounts, Source};
use super::origin::Origins;
use tickless_shaders::FILES;

/// A file of `shaders/` by its stem: its place and its text.
fn file(stem: &str) -> Option<(usize, &'static str)> {
    let place = FILES.binary_search_by_key(&stem, |(name, _)| name).ok()?;
    Some((place, changed(stem).unwrap_or(FILES[place].1)))
}

/// In builds with debug assertions, as those of tests, the text of a file in the folder `TICKLESS_SHADERS`: so a changed kernel is
/// tried without building all crates that hold the texts.
///
/// # Panics
/// A file that cannot be read: tests of the built kernels would pass for those of the changed ones.
#[cfg(debug_assertions)]
fn changed(stem: &str) -> Option<&'static str> {
    use std::{env, fs, path::Path};
    let folder = env::var_os("TICKLESS_SHADERS")?;
    let path = Path::new(&folder).join(stem).with_extension("wgsl");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| {
        panic!(
            "TICKLESS_SHADERS: {} cannot be read ({e}): name a whole copy of shaders/ by its full path",
            path.display()
        )
    });
    Some(text.leak())
}

#[cfg(not(debug_assertions))]
fn changed(_: &str) -> Option<&'static str> {
    None
}

/// The text of a file of `shaders/`, imports included.
///
/// ```
/// # use tickless_kernels::facade as tickless;
/// assert!(tickless::kernels::text("lib/time").is_some_and(|text| text.contains("fn never()")));
/// assert_eq!(tickless::kernels::text("lib/tide"), None);
/// ```
pub fn text(file: &str) -> Option<&'static str> {
    self::file(file).map(|(_, text)| text)
}

/// The stems of all files.
#[cfg(test)]
pub(super) fn stems() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(stem, _)| *stem)
}

/// A file, parsed when it is first needed.
pub(super) fn parsed(stem: &str) -> Result<Arc<Module>, LinkError> {
    static PARSED: [OnceLock<Result<Arc<Module>, LinkError>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    let (place, text) = file(stem).ok_or_else(|| LinkError::NoModule { path: stem.to_owned() })?;
    PARSED[place].get_or_init(|| Module::parse(stem, text).map(Arc::new)).clone()
}

/// A linked text, and the modules that it is made of.
#[derive(Clone, Debug)]
pub struct Linked {
    /// WGSL without imports.
    pub source: String,
    /// The names of its modules, in order; a module that is no file is in angle brackets.
    pub modules: Vec<String>,
    /// The sources of its parts.
    pub origins: Origins,
}

/// A declaration: its module and its place there.
pub(super) type Place = (usize, usize);

/// Links all declarations that a declaration of a file of `shaders/` reaches.
///
/// # Errors
/// Modules that do not link.
///
/// ```
/// # use tickless_kernels::facade as tickless;
/// use tickless::kernels::{Mounts, link};
/// let words = Mounts::default().with("word64", "lib/wide_words");
/// let time = link("lib/time", "never", &words)?;
/// assert_eq!(time.modules, ["lib/time", "lib/wide_words"]);
/// assert!(time.source.contains("fn never() -> Time"));
/// # Ok::<(), tickless::kernels::LinkError>(())
/// ```
pub fn link(file: &str, declaration: &str, mounts: &Mounts) -> Result<Linked, LinkError> {
    let mut linker = Linker {
        mounts,
        modules: vec![],
        numbers: BTreeMap::new(),
        reached: BTreeSet::new(),
        owners: BTreeMap::new(),
        renamed: vec![],
    };
    let module = linker.load(&Origin::File(file.to_owned()), "the kernel")?;
    let Some(item) = linker.modules[module].find(declaration) else {
        return Err(LinkError::NotDefined {
            name: declaration.to_owned(),
            module: file.to_owned(),
            needed_by: "the kernel".into(),
        });
    };
    linker.reach((module, item))?;
    linker.reach_outside()?;
    linker.check()?;
    let (source, origins) = linker.write();
    Ok(Linked { source, modules: linker.names(), origins })
}

pub(super) struct Linker<'a> {
    mounts: &'a Mounts,
    /// In the order in which they are found.
    pub(super) modules: Vec<Arc<Module>>,
    numbers: BTreeMap<String, usize>,
    pub(super) reached: BTreeSet<Place>,
    /// The declarations by their names.
    pub(super) owners: BTreeMap<String, Place>,
    /// By module the names that are written otherwise in the linked text.
    pub(super) renamed: Vec<BTreeMap<String, String>>,
}

impl Linker<'_> {
    /// The key of a module, and its source; `None` where nothing is mounted for the choice.
    fn key(&self, origin: &Origin) -> Option<(String, Cow<'_, Source>)> {
        let name = match origin {
            Origin::File(stem) => stem.as_str(),
            Origin::Choice(name) => match self.mounts.get(name)? {
                Source::File(stem) => stem.as_ref(),
                Source::Text(_) | Source::Own { .. } => name.as_str(),
            },
        };
        // A text is mounted for a choice, or for a file that a test replaces.
        let file = || Cow::Owned(Source::File(name.to_owned().into()));
        let source = self.mounts.get(name).map_or_else(file, Cow::Borrowed);
        let key = match &*source {
            Source::File(stem) => stem.to_string(),
            Source::Text(_) | Source::Own { .. } => format!("<{name}>"),
        };
        Some((key, source))
    }

    /// The number of a module.
    fn load(&mut self, origin: &Origin, needed_by: &str) -> Result<usize, LinkError> {
        let Some((key, source)) = self.key(origin) else {
            let (Origin::File(name) | Origin::Choice(name)) = origin;
            let choices = CHOICES.iter().find(|choice| choice.name == name).map_or("", |choice| choice.what);
            return Err(LinkError::NoMount { name: name.clone(), needed_by: needed_by.to_owned(), choices });
        };
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        let module = match &*source {
            Source::File(stem) => parsed(stem)?,
            Source::Text(text) => Arc::new(Module::parse(&key, text)?),
            Source::Own { name, text, checked } => Arc::new(Module::own(name, text, *checked)?),
        };
        self.modules.push(module);
        self.numbers.insert(key, self.modules.len() - 1);
        Ok(self.modules.len() - 1)
    }

    /// Takes in a declaration and all declarations that it uses.
    fn reach(&mut self, first: Place) -> Result<(), LinkError> {
        let mut waiting = vec![first];
        while let Some(place) = waiting.pop() {
            if !self.reached.insert(place) {
                continue;
            }
            let module = Arc::clone(&self.modules[place.0]);
            for name in &module.items[place.1].uses {
                if let Some(own) = module.find(name) {
                    waiting.push((place.0, own));
                } else if let Some(origin) = module.imports.get(name) {
                    let other = self.load(origin, &module.name)?;
                    let item = self.modules[other].find(name).ok_or_else(|| LinkError::NotDefined {
                        name: name.clone(),
                        module: self.modules[other].name.clone(),
                        needed_by: module.name.clone(),
                    })?;
                    waiting.push((other, item));
                }
            }
        }
        Ok(())
    }

    /// Takes in the function for indices outside, where indices of a user's own are checked.
    fn reach_outside(&mut self) -> Result<(), LinkError> {
        let Some(own) = self.modules.iter().find(|module| module.indexed).cloned() else { return Ok(()) };
        let outside = self.load(&Origin::Choice("outside".to_owned()), &own.name)?;
        match self.modules[outside].find("index_of") {
            Some(index_of) => self.reach((outside, index_of)),
            None => Err(LinkError::NotDefined {
                name: "index_of".to_owned(),
                module: self.modules[outside].name.clone(),
                needed_by: own.name.clone(),
            }),
        }
    }

    pub(super) fn item(&self, (module, item): Place) -> &Item {
        &self.modules[module].items[item]
    }

    /// The declaration that a name of a module stands for, where it is one of a module.
    pub(super) fn place_of(&self, number: usize, name: &str) -> Option<Place> {
        let own = self.modules[number].find(name).map(|item| (number, item));
        own.or_else(|| {
            let origin = self.modules[number].imports.get(name)?;
            let other = *self.numbers.get(&self.key(origin)?.0)?;
            Some((other, self.modules[other].find(name)?))
        })
    }

    /// Copies a part of a declaration, with the new names of those that have one.
    fn copy(&self, (source, origins): (&mut String, &mut Origins), (number, item): Place, range: Range<usize>) {
        let module = &self.modules[number];
        let declaration = &module.items[item];
        origins.push(source.len(), module, range.start);
        let mut from = range.start;
        let is_struct = module.word(declaration.tokens.start) == "struct";
        let names = self.renamed.get(number).filter(|names| !names.is_empty());
        for at in names.map_or(0..0, |_| declaration.tokens.clone()) {
            let token = &module.tokens[at].range;
            let is_member = at > 0 && module.word(at - 1) == "." || is_struct && module.word(at + 1) == ":";
            let new = names.and_then(|names| names.get(module.word(at)));
            if let Some(new) = new.filter(|_| !is_member && range.start <= token.start && token.end <= range.end) {
                *source += &module.text[from..token.start];
                *source += new;
                from = token.end;
                origins.push(source.len(), module, from);
            }
        }
        *source += &module.text[from..range.end];
    }

    /// Each module stands behind the module that needed it first, so that called functions come first.
    fn write(&self) -> (String, Origins) {
        let mut origins = Origins::default();
        let mut numbers = self.binding_numbers();
        let mut source = String::new();
        for (number, module) in self.modules.iter().enumerate().rev() {
            let items = self.reached.range((number, 0)..(number + 1, 0));
            for (place, &declared) in items.enumerate() {
                let item = self.item(declared);
                if place == 0 {
                    let gap = if source.is_empty() { "" } else { "\n" };
                    source += &format!("{gap}// {}\n\n", module.name);
                }
                let text = &module.text[item.text.clone()];
                if item.kind == ItemKind::Buffer {
                    let number = numbers.remove(&item.name).unwrap_or_default();
                    let begin = module.tokens[item.tokens.start].range.start - item.text.start;
                    source += &format!("{}@group(0) @binding({number}) ", &text[..begin]);
                    let mut from = item.text.start + begin;
                    let declaration = &text[begin..];
                    let written = "read_write";
                    let place = declaration.find(written).filter(|_| self.is_read_only(declared));
                    if let Some(place) = place {
                        origins.push(source.len(), module, from);
                        source += &format!("{}read", &declaration[..place]);
                        from += place + written.len();
                    }
                    self.copy((&mut source, &mut origins), declared, from..item.text.end);
                } else {
                    self.copy((&mut source, &mut origins), declared, item.text.clone());
                }
                source.push('\n');
            }
        }
        (source, origins)
    }

    /// Buffers are numbered in the order of their names.
    fn binding_numbers(&self) -> BTreeMap<String, usize> {
        let items = self.reached.iter().map(|&(module, item)| &self.modules[module].items[item]);
        let names: BTreeSet<_> = items.filter(|item| item.kind == ItemKind::Buffer).map(|item| &item.name).collect();
        names.into_iter().enumerate().map(|(number, name)| (name.clone(), number)).collect()
    }

    /// Whether no reached function writes a buffer. A buffer with atomic words is never read-only: the language forbids
    /// it.
    fn is_read_only(&self, buffer: Place) -> bool {
        let name = &self.item(buffer).name;
        let writes = |place: &Place| {
            let item = self.item(*place);
            let uses = item.kind == ItemKind::Function && item.uses.contains(name);
            uses && self.place_of(place.0, name) == Some(buffer) && is_written(&self.modules[place.0], item, name)
        };
        !self.has_atomics(buffer) && !self.reached.iter().any(writes)
    }

    /// Whether a type has atomic words, itself or in its parts. A type that contains itself, which the language refuses, may
    /// occur.
    fn has_atomics(&self, buffer: Place) -> bool {
        let (mut waiting, mut seen) = (vec![buffer], BTreeSet::new());
        while let Some(place) = waiting.pop() {
            let uses = &self.item(place).uses;
            if uses.contains("atomic") {
                return true;
            }
            for other in uses.iter().filter_map(|name| self.place_of(place.0, name)) {
                if self.item(other).kind == ItemKind::Other && seen.insert(other) {
                    waiting.push(other);
                }
            }
        }
        false
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.reached.iter().map(|&(number, _)| self.modules[number].name.clone()).collect();
        names.dedup();
        names.sort();
        names
    }
}
