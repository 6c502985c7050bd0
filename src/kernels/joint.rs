//! The text of a kernel for several runs at the same time: the members of a joint program.
//!
//! Each buffer has the records of all members, one behind the other, and the third dimension of a dispatch is the member of a
//! workgroup. `control.bound` becomes `control[joint_member].bound`, and `cells[i + 1u]` becomes `cells[joint_cells + (i + 1u)]`.

use std::fmt::Write as _;

use naga::{ArraySize, Module, TypeInner};

use super::JOINT_MEMBERS;
use super::token::{Token, TokenKind, closings, tokens};

/// The prefix of every name that such a text has beside those of its kernel.
const PREFIX: &str = "joint_";

/// How a kernel sees a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A record of this many bytes.
    Record(u64),
    /// A list of records of this many bytes each.
    List(u64),
}

/// A buffer of a kernel.
struct Seen<'a> {
    name: &'a str,
    form: Form,
    /// Its place among all buffers of the program.
    place: usize,
}

/// The text of a linked kernel for the members of a joint program. `buffers` are the names of all buffers of the program, with the bytes
/// of each for a member.
///
/// `None` where the kernel has no such form: it gives a buffer's name to something else, asks for the length of an array, or
/// has an array at the end of a record.
///
/// ```
/// # use tickless_kernels::facade as tickless;
/// use tickless::kernels::joint;
/// let source = "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
///               @compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3<u32>) { words[group.x] = 1u; }";
/// let text = joint(source, &[("words", 64)]).expect("a text");
/// assert!(text.contains("words[joint_words + (group.x)] = 1u;"), "{text}");
/// ```
pub fn joint(source: &str, buffers: &[(&str, u64)]) -> Option<String> {
    let module = naga::front::wgsl::parse_str(source).ok()?;
    let seen = module.global_variables.iter().filter(|(_, variable)| variable.binding.is_some());
    let seen: Vec<Seen> = seen.map(|(_, variable)| see(&module, variable, buffers)).collect::<Option<_>>()?;
    let text = Text::new(source);
    let is_taken = |token: &Token| token.kind == TokenKind::Word && source[token.range.clone()].starts_with(PREFIX);
    if text.tokens.iter().any(is_taken) {
        return None;
    }
    let numbers = module.global_variables.iter().filter_map(|(_, variable)| variable.binding.as_ref());
    let number = numbers.map(|binding| binding.binding + 1).max().unwrap_or(0);
    text.rewritten(&seen, buffers.len(), number)
}

fn see<'a>(module: &Module, variable: &naga::GlobalVariable, buffers: &[(&'a str, u64)]) -> Option<Seen<'a>> {
    let name = variable.name.as_deref()?;
    let place = buffers.iter().position(|(known, _)| *known == name)?;
    let (name, bytes) = buffers[place];
    let form = match &module.types[variable.ty].inner {
        TypeInner::Array { size: ArraySize::Dynamic, stride, .. } => Form::List(u64::from(*stride)),
        _ => {
            let mut layouter = naga::proc::Layouter::default();
            layouter.update(module.to_ctx()).ok()?;
            Form::Record(u64::from(layouter[variable.ty].to_stride()))
        }
    };
    // Records of the next member follow right behind those of this one.
    let fits = match form {
        Form::Record(size) => bytes == size,
        Form::List(stride) => stride.is_multiple_of(4) && bytes.is_multiple_of(stride),
    };
    fits.then_some(Seen { name, form, place })
}

/// A text and its tokens.
struct Text<'a> {
    source: &'a str,
    tokens: Vec<Token>,
    closings: Vec<usize>,
}

impl<'a> Text<'a> {
    fn new(source: &'a str) -> Self {
        let tokens = tokens(source);
        Self { source, closings: closings(source, &tokens), tokens }
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.source[token.range.clone()])
    }

    /// Whether a token is the name of a value, not of a member.
    fn is_value(&self, at: usize) -> bool {
        self.tokens[at].kind == TokenKind::Word && (at == 0 || self.word(at - 1) != ".")
    }

    /// The text with the changes. `None` where a name has another meaning.
    fn rewritten(&self, seen: &[Seen], buffers: usize, number: u32) -> Option<String> {
        let mut edits = Edits::default();
        let mut members = 0..0;
        for at in 0..self.tokens.len() {
            if self.word(at) == "struct" {
                let ends = |end: &usize| self.word(*end) == "}";
                members = at..(at..self.tokens.len()).find(ends)?;
            }
            if !self.is_value(at) || members.contains(&at) {
                continue;
            }
            if self.word(at) == "fn" && self.word(at + 1) == "main" {
                self.begin(at, seen, buffers, &mut edits)?;
            }
            let Some(buffer) = seen.iter().find(|buffer| buffer.name == self.word(at)) else { continue };
            if self.is_declaration(at) {
                self.declare(at, buffer, &mut edits)?;
            } else {
                self.refer(at, buffer, &mut edits)?;
            }
        }
        let mut text = edits.applied(self.source);
        for buffer in seen.iter().filter(|buffer| matches!(buffer.form, Form::List(_))) {
            let _ = writeln!(text, "var<private> {PREFIX}{}: u32;", buffer.name);
        }
        let _ = writeln!(
            text,
            "var<private> joint_member: u32;\n@group(0) @binding({number}) var<storage, read> {JOINT_MEMBERS}: array<u32>;"
        );
        Some(text)
    }

    /// Whether the name is that of `var<storage, ...> name: type;`.
    fn is_declaration(&self, at: usize) -> bool {
        at > 0 && self.word(at - 1) == ">" && self.opening(at).is_some() && self.word(at + 1) == ":"
    }

    /// The place of the address space of a declaration.
    fn opening(&self, at: usize) -> Option<usize> {
        let spaces = ["storage", "uniform"];
        (at.saturating_sub(5)..at).find(|&space| spaces.contains(&self.word(space)) && self.word(space - 1) == "<")
    }

    /// A record becomes a list of records, and a uniform buffer a read-only list.
    fn declare(&self, at: usize, buffer: &Seen, edits: &mut Edits) -> Option<()> {
        let space = self.opening(at)?;
        if self.word(space) == "uniform" {
            edits.replace(self.tokens[space].range.start, self.tokens[space].range.end, "storage, read");
        }
        if matches!(buffer.form, Form::Record(_)) {
            let end = (at..self.tokens.len()).find(|&end| self.word(end) == ";")?;
            edits.insert(self.tokens[at + 2].range.start, "array<");
            edits.insert(self.tokens[end].range.start, ">");
        }
        Some(())
    }

    /// Refers to the member's own part.
    fn refer(&self, at: usize, buffer: &Seen, edits: &mut Edits) -> Option<()> {
        // Passes over a parameter, a local variable or a member of this name.
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let is_new = matches!(before, "let" | "var" | "const");
        if is_new || self.word(at + 1) == ":" || self.word(at + 1) == "(" {
            return None;
        }
        let end = self.tokens[at].range.end;
        match buffer.form {
            Form::Record(_) => edits.insert(end, "[joint_member]"),
            Form::List(_) if self.word(at + 1) != "[" => return None,
            Form::List(_) => {
                let closing = self.closings[at + 1];
                edits.insert(self.tokens[at + 1].range.end, &format!("{PREFIX}{} + (", buffer.name));
                edits.insert(self.tokens.get(closing)?.range.start, ")");
            }
        }
        Some(())
    }

    /// The first statements of the entry point.
    fn begin(&self, at: usize, seen: &[Seen], buffers: usize, edits: &mut Edits) -> Option<()> {
        let parameters = at + 2..self.closings[at + 2];
        let group = parameters.clone().find(|&at| self.word(at) == "workgroup_id")? + 2;
        let body = (parameters.end..self.tokens.len()).find(|&at| self.word(at) == "{")?;
        let mut text = format!(
            "\n    joint_member = {}.z;\n    if ({JOINT_MEMBERS}[{buffers}u + joint_member] == 0u) {{ return; }}",
            self.word(group)
        );
        for buffer in seen {
            if let Form::List(stride) = buffer.form {
                let _ = write!(
                    text,
                    "\n    {PREFIX}{} = joint_member * ({JOINT_MEMBERS}[{}] / {}u);",
                    buffer.name,
                    buffer.place,
                    stride / 4
                );
            }
        }
        edits.insert(self.tokens[body].range.end, &text);
        Some(())
    }
}

/// Changes of a text.
#[derive(Default)]
struct Edits(Vec<(usize, usize, String)>);

impl Edits {
    fn insert(&mut self, at: usize, text: &str) {
        self.replace(at, at, text);
    }

    fn replace(&mut self, begin: usize, end: usize, text: &str) {
        self.0.push((begin, end, text.to_owned()));
    }

    fn applied(mut self, source: &str) -> String {
        // Changes at the same place stay in the order in which they came.
        self.0.sort_by_key(|(begin, ..)| *begin);
        let (mut text, mut from) = (String::with_capacity(source.len() + 1024), 0);
        for (begin, end, new) in self.0 {
            text += &source[from..begin];
            text += &new;
            from = end;
        }
        text + &source[from..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &str = "struct Control { bound: u32, cells: u32 }
        @group(0) @binding(0) var<storage, read_write> cells: array<vec2<u32>>;
        @group(0) @binding(1) var<storage, read_write> control: Control;
        @group(0) @binding(2) var<uniform> sizes: vec4<u32>;
        var<private> at: u32;
        fn run() { BODY }
        @compute @workgroup_size(64) fn main(@builtin(workgroup_id) group: vec3<u32>) { at = group.x; run(); }";
    const BUFFERS: [(&str, u64); 4] = [("cells", 48), ("unused", 4), ("control", 8), ("sizes", 16)];

    fn of(body: &str) -> Option<String> {
        joint(&DECLARED.replace("BODY", body), &BUFFERS)
    }

    fn is_valid(text: &str) -> bool {
        let module = naga::front::wgsl::parse_str(text).unwrap_or_else(|e| panic!("{}", e.emit_to_string(text)));
        let all = naga::valid::ValidationFlags::all();
        naga::valid::Validator::new(all, naga::valid::Capabilities::all()).validate(&module).is_ok()
    }

    #[test]
    fn what_a_kernel_binds_is_that_of_its_member() {
        for (body, written) in [
            ("cells[at << 1u].x = 1u;", "cells[joint_cells + (at << 1u)].x = 1u;"),
            ("at = cells[cells[0].x].y;", "at = cells[joint_cells + (cells[joint_cells + (0)].x)].y;"),
            ("let old = &cells[at]; (*old).x = 1u;", "let old = &cells[joint_cells + (at)]; (*old).x = 1u;"),
            (
                "if (at > control.cells) { control.bound += 1u; }",
                "if (at > control[joint_member].cells) { control[joint_member].bound += 1u; }",
            ),
            ("control = Control(at, sizes.y);", "control[joint_member] = Control(at, sizes[joint_member].y);"),
        ] {
            let text = of(body).expect("a joint form");
            assert!(text.contains(written) && is_valid(&text), "{text}");
        }
        let text = of("at = cells[0].x + sizes.x + control.bound;").expect("a joint form");
        for part in [
            "var<storage, read_write> control: array<Control>;",
            "var<storage, read> sizes: array<vec4<u32>>;",
            "joint_member = group.z;",
            "if (joint_members[4u + joint_member] == 0u) { return; }",
            "joint_cells = joint_member * (joint_members[0] / 2u);",
            "@group(0) @binding(3) var<storage, read> joint_members: array<u32>;",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn what_has_another_meaning_is_left_alone() {
        for body in [
            "let cells = 1u; at = cells;",
            "var control = 1u; at = control;",
            "at = arrayLength(&cells);",
            "let all = &cells; at = (*all)[1].x;",
            "let joint_member = 1u; at = joint_member;",
        ] {
            assert_eq!(of(body), None, "{body}");
        }
        // A parameter.
        let source =
            DECLARED.replace("fn run() { BODY }", "fn twice(cells: u32) -> u32 { return 2u * cells; } fn run() {}");
        assert_eq!(joint(&source, &BUFFERS), None);
    }

    #[test]
    fn buffers_that_do_not_fit_have_no_joint_form() {
        let with = |place: usize, size: u64| {
            let mut buffers = BUFFERS;
            buffers[place].1 = size;
            joint(&DECLARED.replace("BODY", ""), &buffers)
        };
        assert!(with(0, 56).is_some() && with(2, 8).is_some());
        // Half a record at the end of a list, more than a record, and a missing buffer.
        assert_eq!((with(0, 52), with(2, 16)), (None, None));
        assert_eq!(joint(&DECLARED.replace("BODY", ""), &BUFFERS[1..]), None);
    }
}
