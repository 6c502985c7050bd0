//! Rules as WGSL: only the rules of a file are written here; the functions that they call are in `shaders/cells/`.

mod sections;
mod writer;

use super::cell_space::Waiting;
use super::expression::Operator;
use super::fixed::Fixed;
use super::interpreter::RuleFault;
use super::model::RuleModel;
use tickless_cells::CellError;
use tickless_cells::gpu::{CellKernels, DeviceCells};
use tickless_core::time::Time;
use tickless_device::{BufferSpec, BufferUse};
use tickless_kernels::Source;
use writer::Writer;

/// The functions that rules may call; only those in use go into a kernel.
const IMPORTS: &str = "\
import package::cells::angles::{
    function_arc_cosine, function_arc_sine, function_arc_tangent, function_cosine, function_sine, function_tangent,
};
import package::cells::cell::{state_word};
import package::cells::draws::{draw_happens, draw_integer, draw_random, draw_sign, draw_uniform, rule_keep, rule_resume};
import package::cells::fixed::{
    Number, fixed_absolute, fixed_add, fixed_ceiling, fixed_divide, fixed_fractional, fixed_maximum, fixed_minimum, fixed_multiply,
    fixed_negate, fixed_remainder, fixed_round, fixed_scale, fixed_sign, fixed_subtract, fixed_truncate, fixed_truth, fixed_unknown,
    fixed_whole, is_one, is_unknown, is_zero,
};
import package::cells::entries::{input_section, input_value, rule_input};
import package::cells::logic::{
    logic_and, logic_differs, logic_equal, logic_equivalent, logic_even, logic_greater, logic_greater_equal,
    logic_implies, logic_less, logic_less_equal, logic_not, logic_odd, logic_or, logic_truth, logic_undefined,
    logic_whole, logic_whole_alone, logic_xor,
};
import package::cells::numbers::{rule_kept, state_number};
import package::cells::powers::{
    function_decimal, function_exponential, function_logarithm, function_natural, function_power,
};
import package::cells::ports::{rule_given, rule_own_port, rule_port, rule_sets};
import package::cells::roots::{function_hypotenuse, function_square_root};
import package::cells::rules::{
    RULE_NONE, rule_clock, rule_delay, rule_milliseconds, rule_neighbour, rule_own, rule_value,
};
import package::cells::space::{cell_id};
import package::cells::variables::{rule_keep_variable, rule_variable};
import package::cells::variates::{draw_binomial, draw_exponential, draw_normal, draw_poisson};
import package::lib::wide::{wide_differs};
import faults::{raise};
import word64::{wide};

";

impl RuleModel {
    /// The rules as a module: `rule_choose(cell)`, which the modules of `shaders/cells/` call, and sizes of the state.
    ///
    /// ```
    /// # use tickless_cdpp::facade as tickless;
    /// # use tickless::{cells::rules::RuleFile, time::Time};
    /// # let text = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (1,2)\ndelay : transport\nborder : wrapped\n\
    /// #             neighbors : a(0,0)\ninitialvalue : 2.5\nlocaltransition : r\n[r]\nrule : {(0,0)+1} 100 {t}\n";
    /// let model = RuleFile::parse(text, "a.ma", |_| None)?.model(Time::UNIT, 1);
    /// assert!(model.wgsl().contains("fixed_add(rule_own, wide(0u, 1u))"));
    /// # Ok::<(), tickless::cells::rules::RuleError>(())
    /// ```
    pub fn wgsl(&self) -> String {
        IMPORTS.to_owned() + &self.written()
    }

    /// The module with `cell_output` and `cell_transition`.
    fn module(&self) -> &'static str {
        match (self.file.waiting, self.file.ports.is_empty()) {
            (Waiting::Transport, true) => "cells/delay_transport",
            (Waiting::Inertial, true) => "cells/delay_inertial",
            (Waiting::Transport, false) => "cells/ports_transport",
            (Waiting::Inertial, false) => "cells/ports_inertial",
        }
    }

    /// The rules themselves.
    pub(super) fn written(&self) -> String {
        let file = &self.file;
        let mut writer = Writer::new(file);
        writer.line(&format!("const RULE_NEIGHBOURS: u32 = {}u;", file.neighbours()));
        writer.line(&format!("const RULE_NUMBER_WORDS: u32 = {}u;", self.layout.width));
        writer.line(&format!("const RULE_HEARS_ITSELF: bool = {};", file.hears_itself));
        writer.line(&format!("const RULE_WAITING: u32 = {}u;", self.layout.waiting));
        writer.line(&format!("const RULE_ROOM: u32 = {}u;", self.layout.room));
        if let Some(at) = self.layout.stream {
            writer.line(&format!("const RULE_STREAM: u32 = {at}u;"));
        }
        if let Some(at) = self.layout.cursor {
            writer.line(&format!("const RULE_CURSOR: u32 = {at}u;"));
            writer.line(&format!("const RULE_INPUT_WORDS: u32 = {}u;", file.incoming.entry(self.layout.width)));
        }
        if let Some(at) = self.layout.due() {
            writer.line(&format!("const RULE_DUE: u32 = {at}u;"));
        }
        if !file.ports.is_empty() {
            writer.line(&format!("const RULE_PORTS: u32 = {}u;", file.ports.len()));
            writer.line(&format!("const RULE_SLOTS: u32 = {}u;", file.slots));
        }
        if !file.variables.is_empty() {
            writer.line(&format!("const RULE_VARIABLES: u32 = {}u;", self.layout.variables));
        }
        writer.places();
        writer.counts();
        writer.sections();
        writer.choose(self.layout.stream.is_some());
        writer.text
    }
}

tickless_cells::ready_cells!(RuleModel);

impl DeviceCells for RuleModel {
    fn kernels(&self) -> Option<CellKernels> {
        let filled = |words: &[u32]| {
            BufferSpec::filled("rule_entries", BufferUse::Storage, bytemuck::cast_slice(words).to_vec())
        };
        let inputs = self.input_words().map(filled);
        let module = match (&inputs, self.file.waiting) {
            (None, _) => "cells/no_inputs",
            (Some(_), Waiting::Transport) => "cells/inputs",
            (Some(_), Waiting::Inertial) => "cells/inputs_inertial",
        };
        let mut kernels = CellKernels::of("rules", self.module());
        kernels.mounts = kernels.mounts.with("rule_file", Source::Text(self.wgsl())).with("rule_inputs", module);
        kernels.buffers.extend(inputs);
        Some(kernels)
    }

    fn starting_otherwise(&self, replication: u32) -> Option<Vec<u32>> {
        // Streams start from the key of the replication, and so do generators.
        (replication == 0 || !self.file.draws()).then(Vec::new)
    }

    fn fault(&self, bits: u32) -> String {
        RuleFault::of_bits(bits)
            .map_or_else(|| format!("the rules have set the fault {bits}"), |fault| self.said(fault))
    }

    fn failure(&self, cell: u32, now: Time, bits: u32) -> CellError {
        self.failed(cell, now, self.fault(bits))
    }
}

/// The function of an operator whose arguments are all evaluated.
fn function(operator: Operator) -> &'static str {
    use Operator as O;
    match operator {
        O::Add => "fixed_add",
        O::Subtract => "fixed_subtract",
        O::Multiply => "fixed_multiply",
        O::Divide => "fixed_divide",
        O::Negate => "fixed_negate",
        O::Equal => "logic_equal",
        O::Differs => "logic_differs",
        O::Less => "logic_less",
        O::LessEqual => "logic_less_equal",
        O::Greater => "logic_greater",
        O::GreaterEqual => "logic_greater_equal",
        O::And => "logic_and",
        O::Or => "logic_or",
        O::Xor => "logic_xor",
        O::Implies => "logic_implies",
        O::Equivalent => "logic_equivalent",
        O::Not => "logic_not",
        O::Minimum => "fixed_minimum",
        O::Maximum => "fixed_maximum",
        O::Absolute => "fixed_absolute",
        O::Sign => "fixed_sign",
        O::Truncate => "fixed_truncate",
        O::Ceiling => "fixed_ceiling",
        O::Round => "fixed_round",
        O::SquareRoot => "function_square_root",
        O::Hypotenuse => "function_hypotenuse",
        O::Power => "function_power",
        O::ExponentialOf => "function_exponential",
        O::Natural => "function_natural",
        O::Decimal => "function_decimal",
        O::LogarithmTo => "function_logarithm",
        O::Sine => "function_sine",
        O::Cosine => "function_cosine",
        O::Tangent => "function_tangent",
        O::ArcSine => "function_arc_sine",
        O::ArcCosine => "function_arc_cosine",
        O::ArcTangent => "function_arc_tangent",
        O::Fractional => "fixed_fractional",
        O::Remainder => "fixed_remainder",
        O::Odd => "logic_odd",
        O::Even => "logic_even",
        O::Whole => "logic_whole",
        O::WholeAlone => "logic_whole_alone",
        O::Undefined => "logic_undefined",
        O::Clock => "rule_clock",
        O::Random => "draw_random",
        O::RandomInteger => "draw_integer",
        O::RandomSign => "draw_sign",
        O::Uniform => "draw_uniform",
        O::Exponential => "draw_exponential",
        O::Normal => "draw_normal",
        O::Poisson => "draw_poisson",
        O::Binomial => "draw_binomial",
        O::If | O::IfUndefined | O::Scale(_) | O::Chance(_) | O::Count(_) | O::Position | O::Tuple | O::Number => {
            unreachable!("these are written on their own")
        }
    }
}

fn number(number: Fixed) -> String {
    if number.is_undefined() { "fixed_unknown()".into() } else { wide(number.bits() as u64) }
}

/// A word of 64 bits as WGSL.
fn wide(word: u64) -> String {
    format!("wide({}u, {}u)", word as u32, word >> 32)
}
