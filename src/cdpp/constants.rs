//! Constants of rules: they are exact while a rule is read, then numbers, factors and chances.

use super::Fixed;
use super::error::{Fault, RuleError};
use super::expression::Delay;
use super::expression::{Expression, Operator, Rule};
use super::numerals::FixedError;
use super::ratio::Ratio;
use super::series;
use super::source::{Place, Sources};

use Operator as O;

/// A constant as an expression.
pub(super) fn constant(ratio: Ratio, place: Place) -> Expression {
    ratio.exact().map_or(Expression::Exact(ratio, place), Expression::Constant)
}

/// The exact value of a constant, and where it stands, if it is kept.
fn exact(expression: &Expression) -> Option<(Ratio, Option<Place>)> {
    match expression {
        Expression::Constant(number) => Some((Ratio::of(*number)?, None)),
        Expression::Exact(ratio, place) => Some((*ratio, Some(*place))),
        _ => None,
    }
}

/// An operator on its arguments. What is constant is computed exactly; products and quotients with constants become a product with one
/// constant, which stands last.
pub(super) fn apply(operator: Operator, mut parts: Vec<Expression>, place: Place) -> Expression {
    if operator == O::Uniform && parts == [Expression::Constant(Fixed::ZERO), Expression::Constant(Fixed::ONE)] {
        return Expression::Apply(O::Random, vec![]);
    }
    if operator == O::Multiply && exact(&parts[0]).is_some() {
        parts.swap(0, 1);
    }
    let folded = match (operator, &parts[..]) {
        (O::Add | O::Subtract | O::Multiply | O::Divide, [left, right]) => folded(operator, left, right, place),
        (O::Power, [base @ Expression::Exact(..), exponent]) if exact(exponent).is_none() => {
            power(base, exponent, place)
        }
        _ => function(operator, &parts, place),
    };
    folded.unwrap_or(Expression::Apply(operator, parts))
}

/// A function of constants.
fn function(operator: Operator, parts: &[Expression], place: Place) -> Option<Expression> {
    let (first, at) = exact(parts.first()?)?;
    let (second, behind) = match parts {
        [_] => (None, None),
        [_, second] => exact(second).map(|(second, at)| (Some(second), at))?,
        _ => return None,
    };
    // What leaves the range is a fault of the run, where the rule is reached.
    let value = series::function(operator, first, second).filter(|value| value.nearest().is_some())?;
    Some(constant(value, at.or(behind).unwrap_or(place)))
}

/// A power of a number that has more bits than a step: an exponential, whose factor has them. Where the exponent is not whole, it is `?`.
fn power(base: &Expression, exponent: &Expression, place: Place) -> Option<Expression> {
    let (base, at) = exact(base)?;
    let factor = constant(series::natural(base)?, at.unwrap_or(place));
    let whole = Expression::Apply(O::WholeAlone, vec![exponent.clone()]);
    Some(Expression::Apply(O::ExponentialOf, vec![apply(O::Multiply, vec![whole, factor], place)]))
}

fn folded(operator: Operator, left: &Expression, right: &Expression, place: Place) -> Option<Expression> {
    let (factor, at) = exact(right)?;
    let factor = match operator {
        O::Subtract => factor.negated(),
        O::Divide => factor.inverse()?,
        _ => factor,
    };
    let sums = matches!(operator, O::Add | O::Subtract);
    if let Some((left, before)) = exact(left) {
        let value = if sums { left.plus(factor) } else { left.times(factor) };
        return Some(constant(value?, before.or(at).unwrap_or(place)));
    }
    let (inner, factor, at) = match left {
        _ if sums => return None,
        Expression::Apply(O::Multiply, parts) => {
            match exact(&parts[1]).and_then(|(other, before)| Some((factor.times(other)?, before))) {
                Some((both, before)) => (&parts[0], both, before.or(at)),
                None => (left, factor, at),
            }
        }
        _ => (left, factor, at),
    };
    Some(Expression::Apply(O::Multiply, vec![inner.clone(), constant(factor, at.unwrap_or(place))]))
}

/// The rule with each constant as what it is used for.
///
/// # Errors
/// A constant that cannot be kept to a millionth of it.
pub(super) fn settled(sources: &Sources, rule: Rule) -> Result<Rule, RuleError> {
    let each = |values: Vec<(usize, Expression)>| -> Result<Vec<_>, RuleError> {
        values.into_iter().map(|(place, value)| Ok((place, settle(sources, value)?))).collect()
    };
    Ok(Rule {
        values: each(rule.values)?,
        variables: each(rule.variables)?,
        delay: match rule.delay {
            Delay::Computed(delay) => Delay::Computed(settle(sources, delay)?),
            ticks => ticks,
        },
        condition: settle(sources, rule.condition)?,
    })
}

fn settle(sources: &Sources, expression: Expression) -> Result<Expression, RuleError> {
    let (operator, parts) = match expression {
        Expression::Exact(ratio, place) => return number(sources, ratio, place, ratio.kept()),
        Expression::Apply(operator, parts) => (operator, parts),
        other => return Ok(other),
    };
    if let Some(chance) = chance(operator, &parts) {
        return Ok(chance);
    }
    let compares =
        matches!(operator, O::Equal | O::Differs | O::Less | O::LessEqual | O::Greater | O::GreaterEqual | O::Count(_));
    if let (O::Multiply, [_, Expression::Exact(ratio, place)]) = (operator, &parts[..]) {
        let Some(factor) = ratio.factor() else { return Err(refused(sources, *ratio, *place, NO_FACTOR)) };
        let inner = parts.into_iter().next().map(|inner| settle(sources, inner));
        return Ok(Expression::Apply(O::Scale(factor), inner.into_iter().collect::<Result<_, _>>()?));
    }
    let part = |part: Expression| match part {
        // The numbers beside it are no finer.
        Expression::Exact(ratio, place) if compares => {
            number(sources, ratio, place, ratio.nearest().filter(|nearest| *nearest != Fixed::ZERO))
        }
        part => settle(sources, part),
    };
    Ok(Expression::Apply(operator, parts.into_iter().map(part).collect::<Result<_, _>>()?))
}

/// The comparison of `random` with a constant that a draw of 32 bits does not have.
fn chance(operator: Operator, parts: &[Expression]) -> Option<Expression> {
    let random = |part: &Expression| matches!(part, Expression::Apply(O::Random, _));
    let (below, ratio) = match (operator, parts) {
        (O::Less | O::LessEqual, [draw, Expression::Exact(ratio, _)]) if random(draw) => (true, ratio),
        (O::Greater | O::GreaterEqual, [draw, Expression::Exact(ratio, _)]) if random(draw) => (false, ratio),
        (O::Greater | O::GreaterEqual, [Expression::Exact(ratio, _), draw]) if random(draw) => (true, ratio),
        (O::Less | O::LessEqual, [Expression::Exact(ratio, _), draw]) if random(draw) => (false, ratio),
        _ => return None,
    };
    let happens = Expression::Apply(O::Chance(ratio.chance()?), vec![]);
    Some(if below { happens } else { Expression::Apply(O::Not, vec![happens]) })
}

/// The number of a constant, if there is one.
fn number(sources: &Sources, ratio: Ratio, place: Place, kept: Option<Fixed>) -> Result<Expression, RuleError> {
    kept.map(Expression::Constant).ok_or_else(|| refused(sources, ratio, place, NO_NUMBER))
}

/// What a constant that is no number could be instead, and what one cannot be.
const NO_NUMBER: &str = "numbers are kept in steps of 2^-32, this one not to a millionth of itself: write it as a factor or a divisor of \
                         a value, which keeps its digits, or choose units in which it is larger";
const NO_FACTOR: &str = "a product of it and a number of the range is below half a step of 2^-32: leave it out, divide it by the other \
                         constants first, or choose units in which it is larger";

/// The error of a constant that cannot be what it is used for.
fn refused(sources: &Sources, ratio: Ratio, place: Place, allowed: &str) -> RuleError {
    let value = ratio.value().to_string();
    let fault = if ratio.value().abs() > 1.0 {
        Fault::Number { text: value, error: FixedError::Range }
    } else {
        Fault::Value { what: "the constant".into(), value, allowed: allowed.into() }
    };
    sources.fail(place, fault)
}
