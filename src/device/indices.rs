//! Indices of a user's own WGSL: each that may lie outside goes through `index_of(index, length, line)` of the choice `outside`. Types say
//! how long what is indexed is: an array or a vector, a variable or a value, itself or within another one, by its name or by a pointer.

use std::collections::BTreeMap;

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{ArraySize, Expression, Function, Handle, Module, TypeInner};
use tickless_kernels::Origins;

/// The length of what is indexed.
enum Length {
    /// Known by the type: an index that is a constant has been compared with it.
    Known(u32),
    /// That of a list at the end of a buffer.
    OfBuffer { variable: String, number: usize },
}

/// The text of a kernel with its own indices looked after.
pub(super) fn looked_after(source: &str, module: &Module, info: &ModuleInfo, origins: &Origins) -> String {
    // By their places: the parts of one index may be several expressions.
    let mut inserted = BTreeMap::new();
    let mut lengths = BTreeMap::new();
    for (handle, function) in module.functions.iter() {
        for (expression, kind) in function.expressions.iter() {
            let (base, is_constant) = match *kind {
                Expression::Access { base, .. } => (base, false),
                Expression::AccessIndex { base, .. } => (base, true),
                _ => continue,
            };
            let range = function.expressions.get_span(expression).to_range();
            let Some((begin, line)) = range.clone().and_then(|range| origins.index_that_ends(range.end)) else {
                continue;
            };
            let length = match length(module, (function, &info[handle]), base) {
                Some(Length::Known(_)) | None if is_constant => continue,
                None => continue,
                Some(Length::Known(length)) => format!("{length}u"),
                Some(Length::OfBuffer { variable, number }) => {
                    lengths.insert(number, variable);
                    format!("tickless_length_{number}()")
                }
            };
            inserted.insert(begin, "index_of(u32(".to_owned());
            inserted.insert(range.map_or(begin, |range| range.end - 1), format!("), {length}, {line}u)"));
        }
    }
    let mut text = String::new();
    let mut begin = 0;
    for (place, words) in inserted {
        text += &source[begin..place];
        text += &words;
        begin = place;
    }
    text += &source[begin..];
    // In functions of their own no local variable hides the buffer.
    for (number, variable) in lengths {
        text += &format!("\nfn tickless_length_{number}() -> u32 {{ return arrayLength(&{variable}); }}\n");
    }
    text
}

/// The length of what an expression stands for, or points to.
fn length(module: &Module, (function, info): (&Function, &FunctionInfo), base: Handle<Expression>) -> Option<Length> {
    let inner = match info[base].ty.inner_with(&module.types) {
        TypeInner::Pointer { base, .. } => &module.types[*base].inner,
        inner => inner,
    };
    match inner {
        TypeInner::Array { size: ArraySize::Constant(length), .. } => Some(Length::Known(length.get())),
        TypeInner::Array { size: ArraySize::Dynamic, .. } => list(module, function, base),
        TypeInner::Vector { size, .. } | TypeInner::ValuePointer { size: Some(size), .. } => {
            Some(Length::Known(*size as u32))
        }
        TypeInner::Matrix { columns, .. } => Some(Length::Known(*columns as u32)),
        _ => None,
    }
}

/// The list at the end of a buffer, which is all of the buffer or its last member.
fn list(module: &Module, function: &Function, base: Handle<Expression>) -> Option<Length> {
    match function.expressions[base] {
        Expression::GlobalVariable(variable) => {
            let name = module.global_variables[variable].name.clone()?;
            Some(Length::OfBuffer { variable: name, number: variable.index() })
        }
        Expression::AccessIndex { base, index } => {
            let Expression::GlobalVariable(variable) = function.expressions[base] else { return None };
            let of = &module.global_variables[variable];
            let TypeInner::Struct { members, .. } = &module.types[of.ty].inner else { return None };
            let member = members.get(index as usize)?.name.as_ref()?;
            Some(Length::OfBuffer { variable: format!("{}.{member}", of.name.as_ref()?), number: variable.index() })
        }
        _ => None,
    }
}
