//! Why modules do not link.

/// Why modules do not link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// A path without a file.
    #[error("there is no file shaders/{path}.wgsl")]
    NoModule {
        /// The stem of the path.
        path: String,
    },
    /// A choice without a module.
    #[error("{needed_by} imports from '{name}'{}{choices}, for which this kernel mounts no module", if choices.is_empty() { "" } else { ", " })]
    NoMount {
        /// The choice.
        name: String,
        /// The module that needs it.
        needed_by: String,
        /// The effect of the choice; empty for an unknown choice.
        choices: &'static str,
    },
    /// An import that the module does not have.
    #[error("{needed_by} imports '{name}' from {module}, which does not declare it")]
    NotDefined {
        /// The name.
        name: String,
        /// The module that should have it.
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
    /// A statement that a module cannot have.
    #[error("{module}, line {line}: '{found}' where {expected} is expected")]
    Syntax {
        /// The module.
        module: String,
        /// The line, from 1 on.
        line: usize,
        /// The wrong word.
        found: String,
        /// The allowed tokens.
        expected: &'static str,
    },
}
