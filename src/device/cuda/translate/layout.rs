//! The layout of records: naga's own, compared with that of the CUDA compiler.

use std::fmt::Write as _;

use naga::proc::Layouter;
use naga::{ArraySize, Expression, Function, Handle, Module, ScalarKind, Type, TypeInner};

use crate::{Binding, Kernel};

/// Refuses features that no kernel of this project has, or without a translation.
pub(super) fn refuse(module: &Module, kernel: &Kernel) -> Result<(), String> {
    let entry = module.entry_points.first().ok_or("it has no entry point")?;
    if entry.workgroup_size[1..] != [1, 1] {
        return Err(format!(
            "its workgroups have {:?} threads; lines of threads alone are translated to CUDA",
            entry.workgroup_size
        ));
    }
    let threads = entry.workgroup_size[0];
    if kernel.subgroups && !threads.is_multiple_of(32) {
        return Err(format!("its workgroups have {threads} threads; operations of whole warps need a multiple of 32"));
    }
    if let Some(binding) = kernel.bindings.iter().find(|binding| binding.number >= u32::from(u8::MAX)) {
        return Err(format!(
            "binding {} is numbered {}; numbers below 255 are translated",
            binding.name, binding.number
        ));
    }
    let float = |kind: ScalarKind| matches!(kind, ScalarKind::Float | ScalarKind::AbstractFloat);
    let typed = module.types.iter().any(|(_, kind)| kind.inner.scalar().is_some_and(|scalar| float(scalar.kind)));
    let written = functions(module).any(|function| {
        function.expressions.iter().any(|(_, expression)| match expression {
            Expression::Literal(literal) => float(literal.scalar().kind),
            Expression::As { kind, .. } => float(*kind),
            _ => false,
        })
    });
    if typed || written {
        return Err("it uses floating-point numbers, which decide nothing on any backend".into());
    }
    Ok(())
}

fn functions(module: &Module) -> impl Iterator<Item = &Function> {
    module.functions.iter().map(|(_, function)| function).chain(module.entry_points.iter().map(|entry| &entry.function))
}

/// Where the kernel asks for the length of an array: the places of all bindings that end in an array, with their fields
/// in naga's record of buffer sizes. Empty where it does not ask.
pub(super) fn lengths(module: &Module, kernel: &Kernel) -> Vec<(usize, String)> {
    let asks = |function: &Function| function.expressions.iter().any(|(_, e)| matches!(e, Expression::ArrayLength(_)));
    if !functions(module).any(asks) {
        return vec![];
    }
    let field = |(place, binding): (usize, &Binding)| {
        let mut variables = module.global_variables.iter();
        let (handle, variable) = variables.find(|(_, v)| v.name.as_ref() == Some(&binding.name))?;
        ends_open(module, variable.ty).then(|| (place, format!("size{}", handle.index())))
    };
    kernel.bindings.iter().enumerate().filter_map(field).collect()
}

/// The most bytes that a launch takes.
const MOST_OF_A_LAUNCH: usize = 4096;
/// Words of a launch beside those of bindings: the workgroups of one of several GPUs, and where it tells the others.
const BESIDE: usize = 8;

/// The uniform bindings whose contents are passed with a launch in place of an address: their places and sizes in bytes. The GPU
/// reads what is passed as it reads a number of the code, where an address costs a load and then a register for the whole run. Records and
/// arrays alone, whose sizes [`checks`] holds against the compiler's.
pub(super) fn passed(module: &Module, kernel: &Kernel, constant: &[bool]) -> Result<Vec<(usize, u32)>, String> {
    let mut layouter = Layouter::default();
    layouter.update(module.to_ctx()).map_err(|e| e.to_string())?;
    let size = |binding: &Binding| {
        let variable = module.global_variables.iter().find(|(_, v)| v.name.as_ref() == Some(&binding.name));
        let kind = variable.map(|(_, variable)| variable.ty)?;
        let is_checked = matches!(module.types[kind].inner, TypeInner::Struct { .. } | TypeInner::Array { .. });
        is_checked.then(|| layouter[kind].size)
    };
    let uniform = kernel.bindings.iter().enumerate().filter(|(place, binding)| !binding.storage && constant[*place]);
    // A kernel that is told how many registers to take puts others aside for what it holds: that of a torus takes 1.1 times as long on an
    // H200 where its parameters are passed.
    let words = 8 * (2 * kernel.bindings.len() + BESIDE);
    let mut left = if kernel.resident_threads > 0 { 0 } else { MOST_OF_A_LAUNCH.saturating_sub(words) as u32 };
    let mut found = vec![];
    for (place, binding) in uniform {
        let Some(size) = size(binding).filter(|size| *size <= left) else { continue };
        left -= size.next_multiple_of(16).min(left);
        found.push((place, size));
    }
    Ok(found)
}

/// Whether a type is, or ends in, an array of any length.
fn ends_open(module: &Module, handle: Handle<Type>) -> bool {
    match &module.types[handle].inner {
        TypeInner::Array { size: ArraySize::Dynamic, .. } => true,
        TypeInner::Struct { members, .. } => members.last().is_some_and(|last| ends_open(module, last.ty)),
        _ => false,
    }
}

/// `static_assert`s for the size of every array and record of the text, and the offset of every member.
pub(super) fn checks(module: &Module, text: &str) -> Result<String, String> {
    let mut layouter = Layouter::default();
    layouter.update(module.to_ctx()).map_err(|e| e.to_string())?;
    let mut written = records(text).into_iter();
    let mut checks = String::new();
    for (handle, kind) in module.types.iter() {
        let (members, size) = match &kind.inner {
            TypeInner::Struct { members, span } => (members.as_slice(), *span),
            TypeInner::Array { size: ArraySize::Constant(_), .. } => (&[][..], layouter[handle].size),
            _ => continue,
        };
        let (name, fields) = written.next().ok_or("naga wrote fewer records than it knows")?;
        // An array of any length at the end has no size of its own.
        if !ends_open(module, handle) {
            let _ = writeln!(checks, "static_assert(sizeof({name}) == {size}, \"{name}\");");
        }
        for (field, member) in fields.iter().zip(members) {
            let _ = writeln!(
                checks,
                "static_assert(TICKLESS_OFFSET({name}, {field}) == {}, \"{name}.{field}\");",
                member.offset
            );
        }
        if !members.is_empty() && fields.len() != members.len() {
            return Err(format!("naga wrote {} members of {name}, which has {}", fields.len(), members.len()));
        }
    }
    Ok(checks)
}

/// The records of the text, in order: their names and members, without naga's own and without padding.
fn records(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = vec![];
    let mut open = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("struct ").and_then(|rest| rest.strip_suffix(" {")) {
            open = name != "_mslBufferSizes" && name != "main_Input";
            if open {
                found.push((name.to_owned(), vec![]));
            }
        } else if line == "};" {
            open = false;
        } else if let (true, Some((_, fields)), Some(declaration)) =
            (open, found.last_mut(), line.trim().strip_suffix(';'))
        {
            let name = declaration.rsplit(' ').next().unwrap_or_default();
            let name = name.split('[').next().unwrap_or_default();
            if !name.starts_with("_pad") {
                fields.push(name.to_owned());
            }
        }
    }
    found
}
