//! Kernels put together from the WGSL modules of `shaders/`.
//!
//! A module says what it needs: `import package::lib::time::{Time, never};` names a file, `import topology::{site_of};` a
//! choice, for which a kernel mounts a module. The syntax is that of WESL, the community's extension of WGSL. A kernel
//! contains only the declarations that it reaches; buffers are numbered here, and a buffer that a kernel does not write
//! is read-only in it.

mod access;
mod choices;
mod error;
#[cfg(feature = "naga")]
mod joint;
#[doc(hidden)]
pub mod layout;
mod link;
mod module;
mod mounts;
mod names;
mod origin;
mod own;
mod token;

#[doc(hidden)]
pub use choices::{CHOICES, Choice};
#[doc(hidden)]
pub use error::LinkError;
#[cfg(feature = "naga")]
#[doc(hidden)]
pub use joint::joint;
#[doc(hidden)]
pub use link::{Linked, link, text};
pub use mounts::{Mounts, Source};
#[doc(hidden)]
pub use origin::Origins;

/// The buffer of a joint program with the words of each of its buffers for a member, and behind these which members take part in a
/// dispatch.
#[doc(hidden)]
pub const JOINT_MEMBERS: &str = "joint_members";

#[cfg(test)]
mod tests;

/// The name `tickless` for the examples of this crate.
#[doc(hidden)]
pub mod facade {
    pub use crate as kernels;
}
