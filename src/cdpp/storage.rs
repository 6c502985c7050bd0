//! Whether one word keeps every number of a cell as it is.

use super::expression::{Expression, Operator, Rule};
use super::file::RuleFile;
use super::fixed::{FRACTION, Fixed, SHORT};

use Operator as O;

/// The most bits of fractions that the numbers of a cell may have, by its ports and by its state variables.
#[derive(Clone, PartialEq, Eq)]
struct Fractions {
    ports: Vec<u32>,
    variables: Vec<u32>,
}

impl RuleFile {
    /// Whether numbers of 16 fraction bits are all that cells keep, whatever happens: each operation that leads to a kept number is
    /// exact in them. A number that is too large is a fault, after which a run begins again with longer ones.
    pub(super) fn keeps_short_numbers(&self) -> bool {
        let large =
            |expression: &Expression| matches!(expression, Expression::Constant(number) if !number.is_within_a_word());
        let kept = |rule: &Rule| rule.values.iter().chain(&rule.variables).any(|(_, value)| value.any(&large));
        if self.rules().any(kept) || !self.initial.numbers().all(Fixed::is_short) {
            return false;
        }
        let at_start = self.initial.numbers().map(Fixed::fraction_bits).max().unwrap_or(0);
        let mut found = Fractions {
            ports: vec![at_start; self.ports.len().max(1)],
            variables: vec![at_start; self.variables.len()],
        };
        loop {
            let before = found.clone();
            for rule in self.rules() {
                for (port, value) in &rule.values {
                    found.ports[*port] = found.ports[*port].max(before.of(value));
                }
                for (variable, value) in &rule.variables {
                    found.variables[*variable] = found.variables[*variable].max(before.of(value));
                }
            }
            if found.ports.iter().chain(&found.variables).any(|bits| *bits > SHORT) {
                return false;
            }
            if found == before {
                return true;
            }
        }
    }
}

impl Fractions {
    /// The most bits of the fraction of a value.
    fn of(&self, expression: &Expression) -> u32 {
        let (operator, parts) = match expression {
            Expression::Constant(number) => return number.fraction_bits(),
            Expression::Own(port) | Expression::Neighbour(_, port) => return self.ports[*port],
            Expression::Variable(n) => return self.variables[*n],
            // Others than short numbers are known before a run.
            Expression::Input(_) => return SHORT,
            Expression::Exact(..) => return FRACTION,
            Expression::Apply(operator, parts) => (*operator, parts),
        };
        let most = |parts: &[Expression]| parts.iter().map(|part| self.of(part)).max().unwrap_or(0);
        match operator {
            O::Add | O::Subtract | O::Minimum | O::Maximum | O::Remainder => most(parts),
            O::Negate | O::Absolute | O::Fractional | O::Number => most(parts),
            O::If | O::IfUndefined => most(&parts[1..]),
            O::Multiply => (self.of(&parts[0]) + self.of(&parts[1])).min(FRACTION),
            O::Equal | O::Differs | O::Less | O::LessEqual | O::Greater | O::GreaterEqual => 0,
            O::And | O::Or | O::Xor | O::Implies | O::Equivalent | O::Not => 0,
            O::Sign
            | O::Truncate
            | O::Ceiling
            | O::Round
            | O::Odd
            | O::Even
            | O::Whole
            | O::WholeAlone
            | O::Undefined => 0,
            O::Count(_) | O::Position | O::Chance(_) => 0,
            O::RandomInteger | O::RandomSign | O::Poisson | O::Binomial => 0,
            _ => FRACTION,
        }
    }
}
