//! Tuples in rules: numbers in brackets, and a component of them.

use super::{DEEPEST, Deep, Parser};
use crate::constants::apply;
use crate::error::{Fault, RuleError};
use crate::expression::{Expression, Operator};
use crate::fixed::Fixed;
use crate::lexer::Token;
use crate::tuples;

impl Parser<'_> {
    /// `[VALUE,VALUE,...]`.
    pub(super) fn tuple(&mut self) -> Result<Deep, RuleError> {
        self.expect("[")?;
        let mut parts = vec![self.expression(0)?];
        while !self.take("]") {
            self.expect(",")?;
            parts.push(self.expression(0)?);
        }
        self.apply(Operator::Tuple, parts)
    }

    /// A value, or its component where a number follows as in `(0,1)!2`.
    pub(super) fn component(&mut self, (value, depth): Deep) -> Result<Deep, RuleError> {
        let slots = self.cells.slots;
        let is_value = matches!(
            value,
            Expression::Variable(_) | Expression::Input(_) | Expression::Own(_) | Expression::Neighbour(..)
        );
        if !(is_value || tuples::is_tuple(&value)) || !self.take("!") {
            return Ok((value, depth));
        }
        let text = match self.peek() {
            Some(Token::Number(text)) => text.clone(),
            _ => return Err(self.unexpected("the number of a component, as in (0,1)!2")),
        };
        // Without tuples nothing has components.
        let most = slots.saturating_sub(2);
        let Some(place) = text.parse::<usize>().ok().filter(|place| slots == 1 || *place <= most) else {
            let allowed = format!("the longest tuple of the file has those from 0 to {most}");
            return self.fail(Fault::Value { what: "the component".into(), value: text, allowed });
        };
        self.at += 1;
        if slots == 1 {
            return Ok((Expression::Constant(Fixed::UNDEFINED), 1));
        }
        Ok((tuples::component(&value, place, slots), depth + 3))
    }

    /// The result of an operator on values that may be tuples: it takes numbers, except for a comparison and a choice.
    pub(super) fn of_values(&self, operator: Operator, parts: Vec<Deep>, depth: usize) -> Result<Deep, RuleError> {
        let (slots, parts) = (self.cells.slots, parts.into_iter().map(|(part, _)| part).collect::<Vec<_>>());
        let numbers = match operator {
            Operator::Equal | Operator::Differs => &parts[..0],
            Operator::If | Operator::IfUndefined => &parts[..1],
            _ => &parts[..],
        };
        if numbers.iter().any(tuples::is_tuple) {
            return self.no_number();
        }
        let compares = matches!(operator, Operator::Equal | Operator::Differs);
        if compares && parts.iter().any(|part| tuples::holds(part, slots)) {
            let depth = depth + slots;
            if depth > DEEPEST {
                let what = "operations within each other (a comparison of tuples counts one for each number)".into();
                return self.fail(Fault::Many { what, most: DEEPEST });
            }
            let same = tuples::same(&parts[0], &parts[1], slots);
            let found = if operator == Operator::Equal { same } else { Expression::Apply(Operator::Not, vec![same]) };
            return Ok((found, depth));
        }
        Ok((apply(operator, parts, self.place()), depth))
    }

    fn no_number<T>(&self) -> Result<T, RuleError> {
        let why = "a tuple is what a port becomes, and what is compared by = and !=".into();
        self.fail(Fault::Unsupported { what: "a tuple where a number should be".into(), why })
    }

    /// Refuses a tuple.
    pub(super) fn number(&self, value: Expression) -> Result<Expression, RuleError> {
        if tuples::is_tuple(&value) { self.no_number() } else { Ok(value) }
    }

    /// The new numbers of ports.
    pub(super) fn numbers(&self, values: Vec<(usize, Expression)>) -> Result<Vec<(usize, Expression)>, RuleError> {
        let slots = self.cells.slots;
        if values.iter().any(|(_, value)| tuples::is_drawn(value, slots)) {
            let why = "the numbers of a tuple are chosen each on its own: draw into a state variable before".into();
            return self.fail(Fault::Unsupported { what: "a tuple that is chosen at random".into(), why });
        }
        let each = |(port, value): (usize, Expression)| {
            (0..slots).map(move |place| (port + place, tuples::at(&value, place, slots))).collect::<Vec<_>>()
        };
        Ok(values.into_iter().flat_map(each).collect())
    }
}
