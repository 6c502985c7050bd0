//! Reflection of kernels by a parser.

use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::{Binding, DeviceError, Kernel, indices, nesting};
use tickless_kernels::{Origins, joint};

/// A kernel of a whole WGSL text, by reflection.
pub(super) fn reflect(label: &str, source: String) -> Result<Kernel, DeviceError> {
    let fail = |message: String| DeviceError::Kernel { kernel: label.to_owned(), message };
    let module = naga::front::wgsl::parse_str(&source).map_err(|e| fail(e.emit_to_string(&source)))?;
    let mut bindings: Vec<Binding> =
        module.global_variables.iter().filter_map(|(_, variable)| binding(&module, variable)).collect();
    bindings.sort_by_key(|b| b.number);
    let entry = module.entry_points.first().ok_or_else(|| fail("it has no entry point".into()))?;
    let wide = |t: &naga::Type| matches!(t.inner, naga::TypeInner::Scalar(s) if s.width == 8);
    Ok(Kernel {
        label: label.to_owned(),
        bindings,
        workgroup: entry.workgroup_size[0],
        int64: module.types.iter().any(|(_, t)| wide(t)),
        subgroups: source.contains("subgroup_size"),
        nested: nesting::deepest(&module),
        source,
        modules: vec![],
        resident_threads: 0,
    })
}

/// The text of a kernel for the members of a joint program, if it has a joint form. An index of another type than that
/// of [`tickless_kernels::JOINT_MEMBERS`] is found here.
pub(super) fn joint_text(source: &str, buffers: &[(&'static str, u64)]) -> Option<String> {
    let text = joint(source, buffers)?;
    let module = naga::front::wgsl::parse_str(&text).ok()?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    validator.validate(&module).is_ok().then_some(text)
}

/// Finds faults in a kernel with a user's own text, and says where they are; gives back the text with its indices looked after.
pub(super) fn check_own(label: &str, source: String, origins: &Origins) -> Result<String, DeviceError> {
    let said = |place: Option<usize>, message: String, all: String| {
        let message = place.and_then(|place| origins.said(place, &message)).unwrap_or(all);
        DeviceError::Kernel { kernel: label.to_owned(), message }
    };
    let module = naga::front::wgsl::parse_str(&source).map_err(|e| {
        let place = e.labels().find_map(|(span, _)| span.to_range()).map(|range| range.start);
        said(place, e.message().to_owned(), e.emit_to_string(&source))
    })?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module).map_err(|e| {
        // The span of the function is given too: the shortest part of the text is the most precise.
        let ranges = e.spans().filter_map(|(span, _)| span.to_range());
        let place = ranges.min_by_key(|range| range.len()).map(|range| range.start);
        said(place, innermost(e.as_inner()), e.emit_to_string(&source))
    })?;
    Ok(indices::looked_after(&source, &module, &info, origins))
}

/// The message of the last of a chain of errors.
fn innermost(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), innermost)
}

fn binding(module: &naga::Module, variable: &naga::GlobalVariable) -> Option<Binding> {
    let (storage, read_only) = match variable.space {
        naga::AddressSpace::Storage { access } => (true, !access.contains(naga::StorageAccess::STORE)),
        naga::AddressSpace::Uniform => (false, true),
        _ => return None,
    };
    let number = variable.binding.as_ref()?.binding;
    let least = module.types[variable.ty].inner.size(module.to_ctx()).into();
    Some(Binding { number, name: variable.name.clone()?, storage, read_only, least })
}
