//! Kernels put together from the WGSL modules of `shaders/`.
//!
//! A module says what it needs: `import package::lib::time::{Time, never};` names a file, `import topology::{site_of};` a
//! choice, which a kernel mounts a module for. The syntax is that of WESL, the community's extension of WGSL. Only what a
//! kernel reaches goes into it; buffers are numbered here, and one that a kernel does not write is read-only in it.

mod access;
mod choices;
#[cfg(test)]
pub(crate) mod layout;
mod link;
mod module;
mod token;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use choices::{CHOICES, Choice};

/// The WGSL of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file of `shaders/`, by its path there without the ending: `lib/time`.
    File(Cow<'static, str>),
    /// A text of one's own.
    Text(String),
}

impl From<&'static str> for Source {
    fn from(stem: &'static str) -> Self {
        Self::File(stem.into())
    }
}

/// Which module stands for each choice.
///
/// ```
/// use tickless::kernels::{Mounts, Source};
/// let own = Source::Text("fn start() {}".into());
/// let mounts = Mounts::default().with("topology", "queueing/torus").with("model", own.clone());
/// assert_eq!(mounts.get("model"), Some(&own));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mounts(BTreeMap<Cow<'static, str>, Source>);

impl Mounts {
    /// With a module for a choice, in place of what stood for it.
    #[must_use]
    pub fn with(mut self, choice: &'static str, source: impl Into<Source>) -> Self {
        self.0.insert(choice.into(), source.into());
        self
    }

    /// With all that another has, which counts where both have a module for a choice.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().map(|(choice, source)| (choice.clone(), source.clone())));
        self
    }

    /// What stands for a choice.
    pub fn get(&self, choice: &str) -> Option<&Source> {
        self.0.get(choice)
    }

    /// All choices and what stands for them.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.0.iter().map(|(choice, source)| (choice.as_ref(), source))
    }
}

/// A linked text, and the modules that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// WGSL without imports.
    pub source: String,
    /// Their names, in order; what is no file is in angle brackets.
    pub modules: Vec<String>,
}

/// Why modules do not link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// A path that is no file.
    #[error("there is no file shaders/{path}.wgsl")]
    NoModule {
        /// Its stem.
        path: String,
    },
    /// A choice without a module.
    #[error("{needed_by} imports from '{name}'{}{choices}, for which this kernel mounts no module", if choices.is_empty() { "" } else { ", " })]
    NoMount {
        /// The choice.
        name: String,
        /// The module that needs it.
        needed_by: String,
        /// What is chosen; empty where there is no such choice.
        choices: &'static str,
    },
    /// An import that the module does not have.
    #[error("{needed_by} imports '{name}' from {module}, which does not declare it")]
    NotDefined {
        /// The name.
        name: String,
        /// Where it should be.
        module: String,
        /// The module that imports it.
        needed_by: String,
    },
    /// A name that is used without an import.
    #[error("{module} uses '{name}' of {owner} without importing it")]
    NotImported {
        /// The name.
        name: String,
        /// The module that uses it.
        module: String,
        /// The module that declares it.
        owner: String,
    },
    /// Two declarations of a name in one kernel.
    #[error("'{name}' is declared twice, in {} and in {}", modules[0], modules[1])]
    Ambiguous {
        /// The name.
        name: String,
        /// The modules that declare it.
        modules: [String; 2],
    },
    /// What is no statement of a module.
    #[error("{module}, line {line}: '{found}' where {expected} is expected")]
    Syntax {
        /// The module.
        module: String,
        /// The line, from 1 on.
        line: usize,
        /// The word that is wrong.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
}

/// The text of a file of `shaders/`, imports included.
///
/// ```
/// assert!(tickless::kernels::text("lib/time").is_some_and(|text| text.contains("fn never()")));
/// assert_eq!(tickless::kernels::text("lib/tide"), None);
/// ```
pub fn text(file: &str) -> Option<&'static str> {
    link::file(file).map(|(_, text)| text)
}

/// Links all that a declaration of a file of `shaders/` reaches.
///
/// # Errors
/// Modules that do not link.
///
/// ```
/// use tickless::kernels::{Mounts, link};
/// let words = Mounts::default().with("word64", "lib/wide_words");
/// let time = link("lib/time", "never", &words)?;
/// assert_eq!(time.modules, ["lib/time", "lib/wide_words"]);
/// assert!(time.source.contains("fn never() -> Time"));
/// # Ok::<(), tickless::kernels::LinkError>(())
/// ```
pub fn link(file: &str, declaration: &str, mounts: &Mounts) -> Result<Linked, LinkError> {
    link::link(file, declaration, mounts)
}

#[cfg(test)]
mod tests;
