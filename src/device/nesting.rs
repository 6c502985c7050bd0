//! The depth of nested blocks in a kernel as drivers have it: functions are inlined, and the code behind a block that may
//! leave its function is within another block.

use naga::{Block, Function, Handle, Module, Statement};

/// The depth of the deepest block of the entry point; 0 without branches.
pub(super) fn deepest(module: &Module) -> u32 {
    // Functions stand behind the functions that they call.
    let mut functions: Vec<u32> = vec![];
    for (_, function) in module.functions.iter() {
        functions.push(of_block(&function.body, &functions).0);
    }
    module.entry_points.iter().map(|entry| of_block(&entry.function.body, &functions).0).max().unwrap_or(0)
}

/// The depth of a block, and whether it may leave the function.
fn of_block(block: &Block, functions: &[u32]) -> (u32, bool) {
    let (mut deepest, mut within) = (0, 0);
    for statement in block {
        let (depth, leaves) = of_statement(statement, functions);
        deepest = deepest.max(within + depth);
        within += u32::from(leaves);
    }
    (deepest, within > 0)
}

fn of_statement(statement: &Statement, functions: &[u32]) -> (u32, bool) {
    let inside = |blocks: &mut dyn Iterator<Item = &Block>| {
        let found = blocks.map(|block| of_block(block, functions));
        let (depth, leaves) = found.fold((0, false), |(d, l), (depth, leaves)| (d.max(depth), l || leaves));
        (1 + depth, leaves)
    };
    let called = |function: &Handle<Function>| functions.get(function.index()).copied().unwrap_or(0);
    match statement {
        Statement::Block(block) => of_block(block, functions),
        Statement::If { accept, reject, .. } => inside(&mut [accept, reject].into_iter()),
        Statement::Switch { cases, .. } => inside(&mut cases.iter().map(|case| &case.body)),
        Statement::Loop { body, continuing, .. } => inside(&mut [body, continuing].into_iter()),
        Statement::Call { function, .. } => (called(function), false),
        Statement::Return { .. } => (0, true),
        _ => (0, false),
    }
}

#[cfg(test)]
mod tests {
    use super::deepest;

    fn of(functions: &str, main: &str) -> u32 {
        let text = format!("var<private> x: u32; {functions} @compute @workgroup_size(1) fn main() {{ {main} }}");
        deepest(&naga::front::wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&text))))
    }

    #[test]
    fn blocks_are_counted_as_they_lie_within_each_other() {
        let ends = "fn ends() { if (x == 1u) { return; } if (x == 2u) { return; } if (x == 3u) { x = 4u; } }";
        assert_eq!(of("", "x = 1u;"), 0);
        assert_eq!(of("", "if (x == 1u) { if (x == 2u) { x = 3u; } } if (x == 1u) { x = 2u; }"), 2);
        assert_eq!(of("", "switch x { case 1u: { if (x == 1u) { x = 2u; } } default: {} }"), 2);
        assert_eq!(of("", "for (var i = 0u; i < x; i += 1u) { x = 1u; }"), 2);
        assert_eq!(of(ends, "ends(); ends();"), 3);
        assert_eq!(of(ends, "if (x == 1u) { ends(); }"), 4);
    }
}
