//! The sources of a linked text.

use std::sync::Arc;

use super::module::Module;

/// The place in its module of every part of a linked text.
#[derive(Clone, Debug, Default)]
pub struct Origins(Vec<Part>);

/// A text copied from a module, up to the next part.
#[derive(Clone, Debug)]
struct Part {
    /// Its place in the linked text.
    begin: usize,
    module: Arc<Module>,
    /// Its place in the module.
    from: usize,
}

impl Origins {
    /// From here on the linked text is that of a module.
    pub(super) fn push(&mut self, begin: usize, module: &Arc<Module>, from: usize) {
        self.0.push(Part { begin, module: Arc::clone(module), from });
    }

    /// Where the index begins that ends at a place of the linked text, behind its bracket, and its line: `None` where the place is not the end
    /// of an index in a user's own text whose indices are checked.
    pub fn index_that_ends(&self, end: usize) -> Option<(usize, usize)> {
        let parts = self.0.partition_point(|part| part.begin < end);
        let part = self.0[..parts].last().filter(|part| part.module.indexed)?;
        let module = &part.module;
        let at = part.from + (end - part.begin);
        let closing = module.tokens.partition_point(|token| token.range.end < at);
        if module.word(closing) != "]" || module.tokens[closing].range.end != at {
            return None;
        }
        let opening = (0..closing).rev().find(|opening| module.closing(*opening) == closing)?;
        let begin = module.tokens[opening].range.end;
        // A part begins anew behind a name that is written otherwise.
        let part = self.0[..parts].iter().rfind(|part| Arc::ptr_eq(&part.module, module) && part.from <= begin)?;
        Some((part.begin + begin - part.from, module.line_of(begin)))
    }

    /// The message for a place of the linked text, with the file, the line and its text; `None` where the place is not in a
    /// user's own text.
    pub fn said(&self, place: usize, message: &str) -> Option<String> {
        let part = &self.0[..self.0.partition_point(|part| part.begin <= place)].last()?;
        let at = part.from + (place - part.begin);
        let line = part.module.line_of(at);
        let text = part.module.own.as_ref()?.lines().nth(line - 1).unwrap_or_default();
        Some(format!("{}, line {line}: {message}: {}", part.module.name, text.trim()))
    }
}
