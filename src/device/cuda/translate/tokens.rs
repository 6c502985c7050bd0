//! Features of naga's Metal text that C++ with the prelude lacks, token by token.

use naga::{Module, Type, TypeInner};

/// The suffix of every name of the WGSL: no macro or keyword of CUDA ends so, and no member is named like a swizzle, so
/// that `.xy` in the text is always a swizzle.
const MARK: &str = "_w";

/// A name of the WGSL with the suffix.
pub(super) fn marked(name: &str) -> String {
    format!("{name}{MARK}")
}

/// Marks every name of the WGSL.
pub(super) fn mark_names(module: &mut Module) {
    let mark = |name: &mut String| name.push_str(MARK);
    // naga knows its own records, as of compare-exchange, by their names.
    let own: Vec<_> = module.special_types.predeclared_types.values().copied().collect();
    let handles: Vec<_> = module.types.iter().map(|(handle, _)| handle).filter(|h| !own.contains(h)).collect();
    for handle in handles {
        let mut kind: Type = module.types[handle].clone();
        kind.name.iter_mut().for_each(mark);
        if let TypeInner::Struct { members, .. } = &mut kind.inner {
            members.iter_mut().filter_map(|member| member.name.as_mut()).for_each(mark);
        }
        if kind != module.types[handle] {
            module.types.replace(handle, kind);
        }
    }
    module.constants.iter_mut().filter_map(|(_, constant)| constant.name.as_mut()).for_each(mark);
    module.global_variables.iter_mut().filter_map(|(_, variable)| variable.name.as_mut()).for_each(mark);
    let entries = module.entry_points.iter_mut().map(|entry| &mut entry.function);
    for function in module.functions.iter_mut().map(|(_, function)| function).chain(entries) {
        function.name.iter_mut().for_each(mark);
        function.arguments.iter_mut().filter_map(|argument| argument.name.as_mut()).for_each(mark);
        function.local_variables.iter_mut().filter_map(|(_, variable)| variable.name.as_mut()).for_each(mark);
        function.named_expressions.values_mut().for_each(mark);
    }
}

/// The components of a name such as `xy` or `wzyx`; a single component is no swizzle.
fn swizzle(name: &str) -> Option<Vec<usize>> {
    let components = name.chars().map(|c| "xyzw".find(c)).collect::<Option<Vec<_>>>()?;
    (2..=4).contains(&components.len()).then_some(components)
}

/// Metal's text as CUDA's: no includes, 64-bit literals, swizzles, and functions that compile for the device.
pub(super) fn to_cuda(msl: &str) -> String {
    let mut text = String::with_capacity(msl.len() * 2);
    let mut skipping = false;
    for line in msl.lines() {
        // naga writes compare-exchange once for each of two address spaces, which are the same here.
        if line.starts_with("template <typename A>") {
            skipping = text.contains("template <typename A>");
        }
        if skipping {
            skipping = line != "}";
            continue;
        }
        if line.starts_with("#include") {
            continue;
        }
        let line = line
            .strip_prefix("constant ")
            .map_or_else(|| line.to_owned(), |rest| format!("static __device__ constexpr {rest}"));
        if is_function(&line) {
            text.push_str("TICKLESS_INLINE ");
        }
        replace_tokens(&line, &mut text);
        text.push('\n');
    }
    text
}

/// Whether a line of naga's text begins the definition of a function: only these lines begin with a type at the margin
/// and end with the parameters, or before them.
fn is_function(line: &str) -> bool {
    let margin = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    margin && (line.ends_with('(') || (line.ends_with(") {") && line.contains('(')))
}

fn replace_tokens(line: &str, text: &mut String) {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = if word(first) { rest.find(|c| !word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let token = &rest[..end];
        if first.is_ascii_digit() {
            text.push_str(&literal(token));
        } else if let Some(components) = swizzle(token).filter(|_| text.ends_with('.')) {
            let places: Vec<String> = components.iter().map(usize::to_string).collect();
            text.push_str(&format!("swizzle<{}>()", places.join(", ")));
        } else {
            text.push_str(keyword(token));
        }
        rest = &rest[end..];
    }
}

/// Metal's address spaces, and the name of a type that means another in CUDA.
fn keyword(token: &str) -> &str {
    match token {
        "device" | "thread" => "",
        "threadgroup" => "TICKLESS_SHARED",
        "constant" => "const",
        "long" => "slong",
        other => other,
    }
}

/// `long` has 64 bits in Metal, and on some hosts 32 in CUDA; `long long` has 64 everywhere.
fn literal(token: &str) -> String {
    match (token.strip_suffix("uL"), token.strip_suffix('L')) {
        (Some(digits), _) => format!("{digits}ull"),
        (None, Some(digits)) => format!("{digits}ll"),
        (None, None) => token.to_owned(),
    }
}
