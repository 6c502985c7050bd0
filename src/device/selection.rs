//! The choice of the adapter of a device.

use super::{AdapterDescription, AdapterKind, DeviceError};

/// The adapter to open.
///
/// ```
/// # use tickless_device::facade as tickless;
/// use tickless::device::Selection;
/// assert_eq!("auto".parse(), Ok(Selection::Auto));
/// assert_eq!("1".parse(), Ok(Selection::Index(1)));
/// assert_eq!("llvmpipe".parse(), Ok(Selection::Name("llvmpipe".into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// A discrete GPU, else an integrated one, else a software adapter; through Vulkan where DX12 has it too.
    Auto,
    /// The adapter of this number in its interface's list.
    Index(usize),
    /// The first adapter whose name contains this text, in any case.
    Name(String),
}

impl std::str::FromStr for Selection {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.parse() {
            Ok(index) => Self::Index(index),
            Err(_) if text.eq_ignore_ascii_case("auto") => Self::Auto,
            Err(_) => Self::Name(text.to_owned()),
        })
    }
}

impl Selection {
    /// The place of the chosen adapter in a list that is not empty.
    ///
    /// # Errors
    /// [`DeviceError::NoAdapter`] with the adapters found.
    #[cfg_attr(not(feature = "naga"), allow(dead_code, reason = "devices alone need it"))]
    pub(super) fn choose<'a>(
        &self,
        adapters: impl Iterator<Item = &'a AdapterDescription> + Clone,
    ) -> Result<usize, DeviceError> {
        let named = |name: &str, d: &AdapterDescription| d.name.to_lowercase().contains(&name.to_lowercase());
        let mut places = adapters.clone().enumerate();
        let (chosen, wanted) = match self {
            Self::Auto => (places.min_by_key(|(_, d)| rank(d)), "auto".to_owned()),
            Self::Index(index) => (places.nth(*index), index.to_string()),
            Self::Name(name) => (places.find(|(_, d)| named(name, d)), name.clone()),
        };
        let available =
            || adapters.map(|d| format!("{} {} ({})", d.index, d.name, d.backend)).collect::<Vec<_>>().join(", ");
        chosen.map(|(place, _)| place).ok_or_else(|| DeviceError::NoAdapter { wanted, available: available() })
    }
}

/// The order in which `auto` takes adapters. A GPU with two interfaces is taken through Vulkan: kernels for DX12 are translated once
/// more, and without DXC they have neither 64-bit integers nor subgroups.
fn rank(adapter: &AdapterDescription) -> (AdapterKind, bool, usize) {
    (adapter.kind, adapter.backend == "dx12", adapter.index)
}

/// Adapters in the order in which [`Selection::Auto`] takes them; later ones serve where the first does not.
pub fn by_preference(mut adapters: Vec<AdapterDescription>) -> Vec<AdapterDescription> {
    adapters.sort_by_key(rank);
    adapters
}

/// The adapter that [`Selection::Auto`] takes: the first of the best kind.
pub fn preferred(adapters: &[AdapterDescription]) -> Option<&AdapterDescription> {
    adapters.iter().min_by_key(|adapter| rank(adapter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(index: usize, backend: &str, kind: AdapterKind) -> AdapterDescription {
        AdapterDescription { index, backend: backend.into(), kind, ..AdapterDescription::imagined(true, 32) }
    }

    #[test]
    fn a_gpu_that_is_there_twice_is_taken_through_vulkan() {
        use AdapterKind::{Discrete, Integrated, Software};
        let taken = |all: &[AdapterDescription]| preferred(all).map(|adapter| adapter.index);
        let [dx12, vulkan] = [adapter(0, "dx12", Discrete), adapter(1, "vulkan", Discrete)];
        assert_eq!(taken(&[dx12.clone(), vulkan]), Some(1));
        assert_eq!(taken(&[dx12.clone(), adapter(1, "vulkan", Integrated)]), Some(0));
        assert_eq!(taken(&[adapter(0, "vulkan", Software), adapter(1, "dx12", Discrete)]), Some(1));
        assert_eq!(Selection::Auto.choose([dx12.clone()].iter()), Ok(0));
        let all = [adapter(0, "vulkan", Software), dx12, adapter(1, "vulkan", Discrete)].to_vec();
        let order: Vec<_> = by_preference(all).into_iter().map(|adapter| (adapter.backend, adapter.kind)).collect();
        assert_eq!(order, [("vulkan".into(), Discrete), ("dx12".into(), Discrete), ("vulkan".into(), Software)]);
    }
}
