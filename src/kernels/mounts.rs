//! Which modules a kernel is made of.

use std::borrow::Cow;
use std::collections::BTreeMap;

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
