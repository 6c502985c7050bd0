//! WGSL to CUDA C++: naga writes Metal's C++, and a prelude defines the names in that text.
//!
//! naga's Metal text is C++ except address-space keywords, the attributes of the entry point (read here and replaced by
//! a wrapper), the suffixes of 64-bit literals and swizzles. Further assumptions of this room about the text are
//! checked here or by `static_assert`s in it, or break the compilation. Floating-point kernels are refused: no backend
//! of this project decides anything with them.

mod layout;
mod parameters;
mod tokens;

use naga::back::msl;
use naga::valid::{Capabilities, ValidationFlags, Validator};

use super::compile::Unit;
use crate::{Binding, DeviceError, Kernel};
pub(super) use parameters::Several;
use parameters::{Parameters, SIZES_SLOT};

/// The beginning of every translation unit.
const PRELUDE: &str = include_str!("prelude.cuh");
/// The `__global__` function of a unit.
const ENTRY: &str = "kernel";

/// A kernel in CUDA C++.
#[derive(Clone, Debug)]
pub(super) struct Translated {
    source: String,
    lengths: Vec<usize>,
    passed: Vec<(usize, u32)>,
}

impl Translated {
    /// Translates a kernel, for one GPU or for several.
    ///
    /// # Errors
    /// [`DeviceError::Refused`] for features without a translation.
    pub(super) fn new(
        kernel: &Kernel,
        constant: impl Fn(&Binding) -> bool,
        several: Option<Several>,
    ) -> Result<Self, DeviceError> {
        let constant: Vec<bool> = kernel.bindings.iter().map(constant).collect();
        let refused = |message| DeviceError::Refused { kernel: kernel.label.clone(), message };
        translate(kernel, constant, several).map_err(refused)
    }

    /// The unit to compile.
    pub(super) fn unit(&self, kernel: &Kernel) -> Unit {
        Unit { label: kernel.label.clone(), source: self.source.clone(), entry: ENTRY }
    }

    /// The whole source: a `__global__` function whose parameters are a pointer or, where it is passed, the record of a binding, in the
    /// order of their numbers, and behind them the sizes in bytes of [`Translated::lengths`].
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// Bytes of the record that is passed for the binding in a place, where no pointer is.
    pub(super) fn passed(&self, place: usize) -> Option<usize> {
        self.passed.iter().find(|(other, _)| *other == place).map(|(_, bytes)| *bytes as usize)
    }

    /// The bindings with arrays whose length the kernel may ask for, by their places.
    pub(super) fn lengths(&self) -> &[usize] {
        &self.lengths
    }
}

fn translate(kernel: &Kernel, constant: Vec<bool>, several: Option<Several>) -> Result<Translated, String> {
    let mut module = naga::front::wgsl::parse_str(&kernel.source).map_err(|e| e.emit_to_string(&kernel.source))?;
    layout::refuse(&module, kernel)?;
    let lengths = layout::lengths(&module, kernel);
    let passed = layout::passed(&module, kernel, &constant)?;
    tokens::mark_names(&mut module);
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|e| e.emit_to_string(&kernel.source))?;
    let (msl, _) = msl::write_string(&module, &info, &options(kernel), &msl::PipelineOptions::default())
        .map_err(|e| e.to_string())?;
    let (body, list) = split(&tokens::to_cuda(&msl)).ok_or("naga wrote no entry point")?;
    let parameters = Parameters::read(&list, kernel, (constant, &passed), &lengths)?;
    let checks = layout::checks(&module, &body)?;
    let (body, status) = match several.and_then(|several| several.status) {
        Some(place) => reads_copy(&body, &tokens::marked(&kernel.bindings[place].name), parameters.type_of(place))?,
        None => (body, String::new()),
    };
    let label = &kernel.label;
    let kernel = parameters.kernel(ENTRY, kernel, several);
    let head = if several.is_some() { "#define TICKLESS_SEVERAL\n" } else { "" };
    let source = format!("{head}{PRELUDE}{status}\n#line 1 \"{label}\"\nnamespace wgsl {{\n{body}{checks}{kernel}}}\n");
    Ok(Translated { source, lengths: lengths.into_iter().map(|(place, _)| place).collect(), passed })
}

/// Bindings are numbered as in the WGSL; nothing is checked at run time.
fn options(kernel: &Kernel) -> msl::Options {
    let bind = |number: u32| msl::BindTarget { buffer: Some(number as u8), mutable: true, ..Default::default() };
    let resources = kernel
        .bindings
        .iter()
        .map(|b| (naga::ResourceBinding { group: 0, binding: b.number }, bind(b.number)))
        .collect();
    let resources = msl::EntryPointResources { resources, sizes_buffer: Some(SIZES_SLOT), ..Default::default() };
    msl::Options {
        lang_version: (2, 4),
        per_entry_point_map: [("main".to_owned(), resources)].into(),
        fake_missing_bindings: false,
        zero_initialize_workgroup_memory: false,
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..Default::default()
    }
}

/// The text in which plain reads of the status read the workgroup's copy, and the macro with the address of that copy. naga writes such a read
/// as a line of its own; atomics and writes stay with the binding.
fn reads_copy(text: &str, name: &str, kind: Option<&str>) -> Result<(String, String), String> {
    let kind = kind.ok_or_else(|| format!("naga wrote no binding {name}"))?;
    let text = text.replace(&format!(" = {name}."), " = TICKLESS_STATUS.");
    Ok((text, format!("#define TICKLESS_STATUS (*(const {kind}*)tickless_status)\n")))
}

/// The text with a plain function as entry point, and the list of its parameters with their attributes.
fn split(text: &str) -> Option<(String, String)> {
    const HEAD: &str = "kernel void main_(";
    let start = text.find(HEAD)?;
    let before = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let open = start + HEAD.len();
    let close = open + text[open..].find("\n) {")?;
    let list = text[open..close].to_owned();
    let plain: Vec<_> = list.lines().map(|line| line.split(" [[").next().unwrap_or_default()).collect();
    let body = format!("{}TICKLESS_INLINE void main_({}{}", &text[..before], plain.join("\n"), &text[close..]);
    Some((body, list))
}

#[cfg(test)]
mod tests;
