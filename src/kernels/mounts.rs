//! The modules of a kernel.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The WGSL of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A file of `shaders/`, by its path there without the ending: `lib/time`.
    File(Cow<'static, str>),
    /// A text that the host writes.
    #[doc(hidden)]
    Text(String),
    /// A user's own text: [`Source::own`].
    Own {
        /// Its name in messages: its file.
        name: Cow<'static, str>,
        /// The WGSL.
        text: Cow<'static, str>,
        /// Whether every index of its arrays is checked.
        checked: bool,
    },
}

impl Source {
    /// A text of the user's own. Errors of its WGSL name `name`, its file, with the line. An index outside ends the run with such an error,
    /// too: of every array, vector and list that it indexes, and in models of cells of states, outputs and neighbours.
    ///
    /// ```
    /// # use tickless_kernels::facade as tickless;
    /// use tickless::kernels::Source;
    /// let own = Source::own("clinic.wgsl", "fn start() {}");
    /// assert!(matches!(own, Source::Own { checked: true, .. }));
    /// ```
    pub fn own(name: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> Self {
        Self::Own { name: name.into(), text: text.into(), checked: true }
    }

    /// The same without checks of indices, which take time. An index outside of an array then reads or writes other
    /// memory.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        if let Self::Own { checked, .. } = &mut self {
            *checked = false;
        }
        self
    }

    /// The name and a line of a user's own text, from 1 on.
    #[doc(hidden)]
    pub fn line(&self, line: u32) -> (String, String) {
        match self {
            Self::Own { name, text, .. } => {
                let text = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
                (name.to_string(), text.trim().to_owned())
            }
            Self::File(stem) => (format!("shaders/{stem}.wgsl"), String::new()),
            Self::Text(_) => ("a text of the host".into(), String::new()),
        }
    }
}

impl From<&'static str> for Source {
    fn from(stem: &'static str) -> Self {
        Self::File(stem.into())
    }
}

/// The module mounted for each choice.
///
/// ```
/// # use tickless_kernels::facade as tickless;
/// use tickless::kernels::{Mounts, Source};
/// let own = Source::own("own.wgsl", "fn start() {}");
/// let mounts = Mounts::default().with("topology", "queueing/torus").with("model", own.clone());
/// assert_eq!(mounts.get("model"), Some(&own));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mounts(BTreeMap<Cow<'static, str>, Source>);

impl Mounts {
    /// With a module for a choice, in place of the earlier one.
    #[must_use]
    pub fn with(mut self, choice: &'static str, source: impl Into<Source>) -> Self {
        self.0.insert(choice.into(), source.into());
        self
    }

    /// With all modules of another, which count where both have a module for a choice.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().map(|(choice, source)| (choice.clone(), source.clone())));
        self
    }

    /// The module mounted for a choice.
    pub fn get(&self, choice: &str) -> Option<&Source> {
        self.0.get(choice)
    }

    /// All choices and their modules.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.0.iter().map(|(choice, source)| (choice.as_ref(), source))
    }
}
