//! Several GPUs as one device.

use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, sys};

use super::driver::message;
use crate::{AdapterDescription, DeviceError};

/// The most GPUs of a device.
const MOST: usize = 64;

/// The device that the GPUs of these numbers form together.
///
/// # Errors
/// An unknown number; GPUs of different kinds.
pub(super) fn description(found: &[AdapterDescription], indices: &[usize]) -> Result<AdapterDescription, DeviceError> {
    let available =
        || found.iter().map(|d| format!("{} {} ({})", d.index, d.name, d.backend)).collect::<Vec<_>>().join(", ");
    let none = |wanted: String| DeviceError::NoAdapter { wanted, available: available() };
    let chosen = indices.iter().map(|index| found.get(*index).ok_or_else(|| none(index.to_string())));
    let chosen = chosen.collect::<Result<Vec<_>, _>>()?;
    let first = *chosen.first().ok_or_else(|| none("none".into()))?;
    let alike = |other: &AdapterDescription| other.name == first.name && other.capabilities == first.capabilities;
    if let Some(other) = chosen.iter().find(|other| !alike(other)) {
        let reason =
            format!("GPU {} is another one ({}), and only GPUs that are alike run together", other.index, other.name);
        return Err(DeviceError::Open { adapter: first.name.clone(), reason });
    }
    let gpus = chosen.len();
    if gpus > MOST {
        let reason = format!("{gpus} GPUs are asked for, and up to {MOST} run together");
        return Err(DeviceError::Open { adapter: first.name.clone(), reason });
    }
    let mut all = AdapterDescription { gpus: gpus as u32, ..first.clone() };
    if gpus > 1 {
        all.name = format!("{gpus} x {}", first.name);
        all.capabilities.binding_size = first.capabilities.binding_size.saturating_mul(gpus as u64);
        all.capabilities.buffer_size = first.capabilities.buffer_size.saturating_mul(gpus as u64);
    }
    Ok(all)
}

/// Refuses GPUs that do not reach each other's memory.
///
/// # Errors
/// [`DeviceError::Open`], which names the first such pair.
pub(super) fn check_links(contexts: &[Arc<CudaContext>], all: &AdapterDescription) -> Result<(), DeviceError> {
    let refused = |reason: String| DeviceError::Open { adapter: all.name.clone(), reason };
    let reaches = |from: &CudaContext, to: &CudaContext| -> Result<bool, DriverError> {
        let mut reaches = 0;
        // SAFETY: a number to write to, and devices that the contexts keep.
        unsafe { sys::cuDeviceCanAccessPeer(&mut reaches, from.cu_device(), to.cu_device()) }.result()?;
        Ok(reaches != 0)
    };
    for from in contexts {
        for to in contexts.iter().filter(|to| to.ordinal() != from.ordinal()) {
            let [one, other] = [from, to].map(|context| context.ordinal());
            if !reaches(from, to).map_err(|e| refused(message(e)))? {
                return Err(refused(format!(
                    "GPU {one} does not reach the memory of GPU {other}: name GPUs that are linked"
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gpus() -> Vec<AdapterDescription> {
        let gpu = |(index, name): (usize, &str)| AdapterDescription {
            index,
            name: name.into(),
            backend: "cuda".into(),
            ..AdapterDescription::imagined(true, 32)
        };
        [(0, "large"), (1, "large"), (2, "small")].map(gpu).into()
    }

    #[test]
    fn gpus_that_are_alike_are_one_device_of_their_memory() {
        let (all, one) = (description(&gpus(), &[0, 1]).unwrap(), &gpus()[0]);
        assert_eq!((all.gpus, &all.name[..], all.index), (2, "2 x large", 0));
        assert_eq!(all.capabilities.buffer_size, 2 * one.capabilities.buffer_size);
        let alone = description(&gpus(), &[1]).unwrap();
        assert_eq!((alone.gpus, &alone.name[..], alone.capabilities), (1, "large", one.capabilities));
    }

    #[test]
    fn what_cannot_run_together_is_refused_by_name() {
        let said = |indices: &[usize]| description(&gpus(), indices).unwrap_err().to_string();
        assert!(said(&[0, 2]).contains("GPU 2 is another one (small)"), "{}", said(&[0, 2]));
        assert!(
            said(&[0, 3]).contains("no adapter matches '3'; there are: 0 large (cuda), 1 large"),
            "{}",
            said(&[0, 3])
        );
        assert!(said(&vec![0; 65]).contains("65 GPUs are asked for, and up to 64"));
    }
}
