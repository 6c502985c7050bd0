//! The value of an expression, by walking its tree: every backend must give the same.

use super::cell_space::MOST_WAITING;
use super::draws::{below, happens};
use super::expression::{Delay, Expression, Operator, Rule};
use super::fixed::{FRACTION, Fixed};
use super::layers::AXES;
use super::ports::MOST_PORTS;
use super::{functions, variates};
use tickless_core::random::Stream;
use tickless_core::time::Time;

/// A fault that ends a run of rules: its number is a bit of a device's fault word.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::RuleFault;
/// assert_eq!(RuleFault::of_bits(RuleFault::Truth.bits()), Some(RuleFault::Truth));
/// assert!(RuleFault::Range.to_string().starts_with("a number leaves the range"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleFault {
    /// A number out of the range.
    #[error("a number leaves the range of -2^31 to 2^31: use larger units")]
    Range,
    /// A number where a truth value is needed.
    #[error("a number other than 0, 1 and ? stands where true or false should: compare it with something")]
    Truth,
    /// An invalid delay.
    #[error("a delay is negative or ?: make the rule's delay 0 or more, in milliseconds")]
    Delay,
    /// No rule.
    #[error(
        "no rule holds, and no condition is ? or drawn at random: add a last rule as in 'rule : {{(0,0)}} 0 {{t}}'"
    )]
    NoRule,
    /// No room.
    #[error(
        "more values wait for their transport delay than a cell has room for: give it more, at most {MOST_WAITING}"
    )]
    Room,
    /// A number beyond one word, where numbers have one.
    #[error("a cell comes to a number beyond 32768: it needs numbers of two words (--wide)")]
    Word,
}

impl RuleFault {
    /// All faults.
    pub const ALL: [Self; 6] = [Self::Range, Self::Truth, Self::Delay, Self::NoRule, Self::Room, Self::Word];

    /// Its bit in the fault word.
    pub const fn bits(self) -> u32 {
        0x100 << self as u32
    }

    /// The first fault of a fault word.
    pub fn of_bits(bits: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| bits & fault.bits() != 0)
    }
}

/// The values that an expression may read.
pub(super) struct Surroundings<'a> {
    /// The words of a number.
    pub width: usize,
    /// The words of the cell's values, one number a port.
    pub own: &'a [u32],
    /// Its state variables, which rules change.
    pub variables: &'a mut [u32],
    /// The values of its neighbours by number and port.
    pub neighbours: &'a dyn Fn(usize, usize) -> Fixed,
    /// The number of neighbours, and whether the cell itself is counted among them.
    pub count: usize,
    pub own_counts: bool,
    pub now: Time,
    /// Row, column, plane and layer.
    pub place: [u32; AXES],
    /// Words of the values of input ports, where a value has come in.
    pub inputs: &'a [u32],
    /// The stream; `None` where no rule draws.
    pub stream: Option<Stream>,
}

/// The values that a rule sets on ports.
pub(super) struct Given {
    /// A bit for each port that it sets.
    ports: u32,
    values: [Fixed; MOST_PORTS],
}

impl Given {
    /// No value.
    pub fn new() -> Self {
        Self { ports: 0, values: [Fixed::ZERO; MOST_PORTS] }
    }

    /// The ports that it sets, and their values.
    pub fn values(&self) -> impl Iterator<Item = (usize, Fixed)> + '_ {
        let mut rest = self.ports;
        std::iter::from_fn(move || {
            let port = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            Some((port, *self.values.get(port)?))
        })
    }

    /// Leaves out the ports that have their values already, `slots` numbers each; returns whether others are left.
    pub fn changes(&mut self, words: &[u32], width: usize, slots: usize) -> bool {
        let others = self.values().filter(|(port, value)| *value != Fixed::read(words, *port, width));
        let group = |port: usize| ((1_u32 << slots) - 1) << (port - port % slots);
        self.ports &= others.fold(0, |all, (port, _)| all | group(port));
        self.ports != 0
    }
}

/// The delay of the first rule that holds, after it has changed state variables, and its values. `None` where possibly no
/// rule holds.
pub(super) fn choose(
    rules: &[Rule],
    stochastic: bool,
    around: &mut Surroundings,
    given: &mut Given,
) -> Result<Option<Time>, RuleFault> {
    let mut undefined = false;
    for rule in rules {
        let held = around.value(&rule.condition)?;
        undefined |= held.is_undefined();
        if held != Fixed::ONE {
            continue;
        }
        let delay = match &rule.delay {
            Delay::Ticks(ticks) => Time::from_ticks(*ticks),
            Delay::Computed(expression) => {
                let delay = around.value(expression)?;
                Time::from_ticks(u64::try_from(delay.bits()).map_err(|_| RuleFault::Delay)?)
            }
        };
        for (variable, expression) in &rule.variables {
            around.kept(expression)?.write(around.variables, *variable, around.width);
        }
        for (port, expression) in &rule.values {
            given.ports |= 1 << port;
            given.values[*port] = around.kept(expression)?;
        }
        return Ok(Some(delay));
    }
    if undefined || stochastic { Ok(None) } else { Err(RuleFault::NoRule) }
}

/// True, false or unknown.
fn truth(value: Fixed) -> Result<Option<bool>, RuleFault> {
    match value {
        Fixed::ONE => Ok(Some(true)),
        Fixed::ZERO => Ok(Some(false)),
        Fixed::UNDEFINED => Ok(None),
        _ => Err(RuleFault::Truth),
    }
}

fn of_truth(value: Option<bool>) -> Fixed {
    value.map_or(Fixed::UNDEFINED, Fixed::truth)
}

/// Two truth values and an operator of three-valued logic (Kleene's; "eqv" never is unknown).
fn logic(operator: Operator, a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match operator {
        Operator::And if a == Some(false) || b == Some(false) => Some(false),
        Operator::Or if a == Some(true) || b == Some(true) => Some(true),
        Operator::Implies if a == Some(false) || b == Some(true) => Some(true),
        Operator::Equivalent => Some(a == b),
        _ => {
            let (a, b) = (a?, b?);
            Some(match operator {
                Operator::And => a && b,
                Operator::Or => a || b,
                Operator::Xor => a != b,
                _ => !a || b,
            })
        }
    }
}

/// A comparison: two `?` are equal, `?` differs from every number, and is neither smaller nor larger.
fn compare(operator: Operator, a: Fixed, b: Fixed) -> Option<bool> {
    let (one, equal) = (a.is_undefined() != b.is_undefined(), a == b);
    match operator {
        Operator::Equal => Some(equal),
        Operator::Differs => Some(!equal),
        _ if one => None,
        Operator::Less => Some(a.bits() < b.bits()),
        Operator::LessEqual => Some(a.bits() <= b.bits()),
        Operator::Greater => Some(a.bits() > b.bits()),
        _ => Some(a.bits() >= b.bits()),
    }
}

/// A logarithm to a base by its factor; `?` where there is none.
fn logarithm(a: Fixed, factor: u64) -> Fixed {
    if a == Fixed::ZERO { Fixed::UNDEFINED } else { a.of_size(|a| functions::logarithm_by(a, factor)) }
}

/// A function that may leave the range; `?` where it has no value.
fn function(operator: Operator, a: Fixed, b: Fixed) -> Option<Fixed> {
    use Operator as O;
    let (low, sizes) = (a.bits().min(b.bits()), [a, b].map(|number| number.bits().unsigned_abs()));
    match operator {
        O::Hypotenuse if low >= 0 => Fixed::signed(functions::hypotenuse(sizes[0], sizes[1]), false),
        O::Power if a.bits() >= 0 && b.is_whole() == Fixed::ONE => {
            functions::power(sizes[0], b.bits() >> FRACTION).and_then(|size| Fixed::signed(size, false))
        }
        O::ExponentialOf if !a.is_undefined() => {
            functions::exponential(a.bits()).and_then(|size| Fixed::signed(size, false))
        }
        O::LogarithmTo if low > 0 => {
            let [a, b] = sizes.map(|size| Fixed::steps(functions::logarithm_of(size)).unwrap_or(Fixed::ZERO));
            a.checked_div(b)
        }
        O::Tangent if !a.is_undefined() => {
            let [sine, cosine] = functions::sine_and_cosine(a.bits()).map(Fixed::steps);
            cosine.filter(|cosine| *cosine != Fixed::ZERO).and_then(|cosine| sine?.checked_div(cosine))
        }
        _ => Some(Fixed::UNDEFINED),
    }
}

impl Surroundings<'_> {
    /// The value of an expression.
    pub fn value(&mut self, expression: &Expression) -> Result<Fixed, RuleFault> {
        match expression {
            Expression::Constant(number) => Ok(*number),
            Expression::Exact(..) => unreachable!("an exact constant is a number or a factor once a rule is read"),
            Expression::Own(port) => Ok(Fixed::read(self.own, *port, self.width)),
            Expression::Neighbour(n, port) => Ok((self.neighbours)(*n, *port)),
            Expression::Variable(n) => Ok(Fixed::read(self.variables, *n, self.width)),
            Expression::Input(n) => Ok(Fixed::read(self.inputs, *n, self.width)),
            Expression::Apply(operator @ (Operator::If | Operator::IfUndefined), parts) => {
                self.branch(*operator, parts)
            }
            Expression::Apply(operator, parts) => {
                let mut values = [Fixed::ZERO; 2];
                for (value, part) in values.iter_mut().zip(parts) {
                    *value = self.value(part)?;
                }
                self.apply(*operator, values)
            }
        }
    }

    /// The value of an expression for a cell to keep.
    fn kept(&mut self, expression: &Expression) -> Result<Fixed, RuleFault> {
        let value = self.value(expression)?;
        if self.width > 1 || value.is_within_a_word() { Ok(value) } else { Err(RuleFault::Word) }
    }

    /// The value of one of the branches; the others are not evaluated.
    fn branch(&mut self, operator: Operator, parts: &[Expression]) -> Result<Fixed, RuleFault> {
        let condition = self.value(&parts[0])?;
        match truth(condition)? {
            Some(true) => self.value(&parts[1]),
            None if operator == Operator::IfUndefined => self.value(&parts[3]),
            _ => self.value(&parts[2]),
        }
    }

    fn apply(&mut self, operator: Operator, [a, b]: [Fixed; 2]) -> Result<Fixed, RuleFault> {
        use Operator as O;
        let range = |value: Option<Fixed>| value.ok_or(RuleFault::Range);
        let either = a.is_undefined() || b.is_undefined();
        match operator {
            O::Add => range(a.checked_add(b)),
            O::Subtract => range(a.checked_sub(b)),
            O::Multiply => range(a.checked_mul(b)),
            O::Scale(factor) => range(factor.times(a)),
            O::Divide => range(a.checked_div(b)),
            O::Negate => Ok(a.negated()),
            O::Equal | O::Differs | O::Less | O::LessEqual | O::Greater | O::GreaterEqual => {
                Ok(of_truth(compare(operator, a, b)))
            }
            O::And | O::Or | O::Xor | O::Implies | O::Equivalent => Ok(of_truth(logic(operator, truth(a)?, truth(b)?))),
            O::Not => Ok(of_truth(truth(a)?.map(|a| !a))),
            O::Minimum | O::Maximum if either => Ok(Fixed::UNDEFINED),
            O::Minimum => Ok(if b.bits() < a.bits() { b } else { a }),
            O::Maximum => Ok(if a.bits() < b.bits() { b } else { a }),
            O::Absolute => Ok(a.abs()),
            O::Sign => Ok(a.sign()),
            O::Truncate => range(a.trunc()),
            O::Ceiling => range(a.ceiling()),
            O::Round => range(a.round()),
            O::Fractional => Ok(a.fractional()),
            O::Remainder => Ok(a.remainder(b)),
            O::Odd => Ok(a.is_odd()),
            O::Even => Ok(a.is_even()),
            O::Whole => Ok(a.is_whole()),
            O::WholeAlone => Ok(if a.is_whole() == Fixed::ONE { a } else { Fixed::UNDEFINED }),
            O::Undefined => Ok(Fixed::truth(a.is_undefined())),
            O::Count(port) => Ok(self.counted(a, port)),
            O::Position => range(Fixed::whole(i64::from(self.place[(a.bits() >> FRACTION) as usize % AXES]))),
            O::Clock => range(i64::try_from(self.now.ticks()).ok().and_then(Fixed::steps)),
            O::RandomInteger => range(self.drawn(operator, a, b).round()),
            O::Random | O::RandomSign | O::Uniform | O::Chance(_) => Ok(self.drawn(operator, a, b)),
            O::Exponential | O::Normal | O::Poisson | O::Binomial => range(self.varied(operator, a, b)),
            O::SquareRoot => Ok(a.of_size(|a| functions::square_root(a) as i64)),
            O::Natural => Ok(logarithm(a, functions::NATURAL)),
            O::Decimal => Ok(logarithm(a, functions::DECIMAL)),
            O::Sine => Ok(a.within(i64::MAX, functions::sine)),
            O::Cosine => Ok(a.within(i64::MAX, functions::cosine)),
            O::ArcTangent => Ok(a.within(i64::MAX, functions::arc_tangent)),
            O::ArcSine => Ok(a.within(Fixed::ONE.bits(), functions::arc_sine)),
            O::ArcCosine => Ok(a.within(Fixed::ONE.bits(), functions::arc_cosine)),
            O::Power | O::Hypotenuse | O::ExponentialOf | O::LogarithmTo | O::Tangent => {
                range(function(operator, a, b))
            }
            O::Number => Ok(a),
            O::If | O::IfUndefined => unreachable!("branches are evaluated on their own"),
            O::Tuple => unreachable!("a tuple is its numbers once a rule is read"),
        }
    }

    /// How many cells of the neighborhood have this value on a port; `?` counts as a value.
    fn counted(&self, value: Fixed, port: usize) -> Fixed {
        let others = (0..self.count).filter(|n| (self.neighbours)(*n, port) == value).count();
        let all = others + usize::from(self.own_counts && Fixed::read(self.own, port, self.width) == value);
        Fixed::whole(all as i64).unwrap_or(Fixed::MOST)
    }

    /// A random number that is not uniform.
    fn varied(&mut self, operator: Operator, a: Fixed, b: Fixed) -> Option<Fixed> {
        let stream = self.stream.as_mut().expect("rules that draw have a stream");
        match operator {
            Operator::Exponential => variates::exponential(stream, a),
            Operator::Normal => variates::normal(stream, a, b),
            Operator::Poisson => variates::poisson(stream, a),
            _ => variates::binomial(stream, a, b),
        }
    }

    /// A random number. Where its arguments do not allow one it is `?`, and nothing is drawn.
    fn drawn(&mut self, operator: Operator, a: Fixed, b: Fixed) -> Fixed {
        let stream = self.stream.as_mut().expect("rules that draw have a stream");
        let steps = |steps: i64| Fixed::steps(steps).unwrap_or(Fixed::UNDEFINED);
        match operator {
            Operator::Random => steps(stream.draw().into()),
            Operator::Chance(chance) => Fixed::truth(happens(stream, chance)),
            Operator::RandomSign if stream.draw() >> 31 == 0 => Fixed::ONE,
            Operator::RandomSign => Fixed::ONE.negated(),
            // `?` is the lowest integer, and no range either. Uniform from 0 to n, and then rounded, as in CD++.
            Operator::RandomInteger if a.bits() < 0 => Fixed::UNDEFINED,
            Operator::RandomInteger => steps(below(stream, a.bits() as u64) as i64),
            _ if a.is_undefined() || b.bits() < a.bits() => Fixed::UNDEFINED,
            // Their distance may have 64 bits.
            _ => steps(a.bits().wrapping_add(below(stream, b.bits().wrapping_sub(a.bits()) as u64) as i64)),
        }
    }
}
