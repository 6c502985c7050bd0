//! Which modules a kernel is made of.

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
    /// A model's own text: [`Source::own`].
    Own {
        /// What messages call it: its file.
        name: Cow<'static, str>,
        /// The WGSL.
        text: Cow<'static, str>,
        /// Whether every index of its arrays is looked at.
        checked: bool,
    },
}

impl Source {
    /// A text of one's own. Errors of its WGSL name `name`, its file, with the line. An index outside of an array that it
    /// declares ends the run with an error that does so, too: `name[index]` is looked at, and no index within an element.
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

    /// The same without a look at indices, which takes time. What lies outside of an array is read and written then.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        if let Self::Own { checked, .. } = &mut self {
            *checked = false;
        }
        self
    }

    /// The name and a line of a text of one's own, from 1 on.
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

/// Which module stands for each choice.
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
