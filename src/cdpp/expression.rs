//! Expressions of checked rules.

use super::factor::Factor;
use super::fixed::Fixed;
use super::ratio::Ratio;
use super::source::Place;

/// An operator or a function of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    /// The product with a constant.
    Scale(Factor),
    Divide,
    Negate,
    Equal,
    Differs,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    Xor,
    Implies,
    Equivalent,
    Not,
    If,
    IfUndefined,
    Minimum,
    Maximum,
    Absolute,
    Sign,
    Truncate,
    Ceiling,
    Round,
    SquareRoot,
    Hypotenuse,
    Power,
    ExponentialOf,
    Natural,
    Decimal,
    LogarithmTo,
    Sine,
    Cosine,
    Tangent,
    ArcSine,
    ArcCosine,
    ArcTangent,
    Fractional,
    Remainder,
    Odd,
    Even,
    Whole,
    /// A whole number; `?` where it is none.
    WholeAlone,
    Undefined,
    /// The number of cells of the neighborhood with a value on a port.
    Count(usize),
    /// Numbers in brackets, while a rule is read.
    Tuple,
    /// A number, from whatever source.
    Number,
    /// A coordinate of the cell.
    Position,
    /// The time.
    Clock,
    Random,
    /// Whether something happens that has this chance, in 2^-64.
    Chance(u64),
    RandomInteger,
    RandomSign,
    Uniform,
    Exponential,
    Normal,
    Poisson,
    Binomial,
}

use Operator as O;

impl Operator {
    /// Whether the operator draws random numbers.
    pub fn draws(self) -> bool {
        let plain = matches!(self, O::Random | O::Chance(_) | O::RandomInteger | O::RandomSign | O::Uniform);
        plain || matches!(self, O::Exponential | O::Normal | O::Poisson | O::Binomial)
    }
}

/// The functions: name, operator and number of arguments.
pub(super) const FUNCTIONS: [(&str, Operator, usize); 39] = [
    ("abs", O::Absolute, 1),
    ("acos", O::ArcCosine, 1),
    ("asin", O::ArcSine, 1),
    ("atan", O::ArcTangent, 1),
    ("binomial", O::Binomial, 2),
    ("cellpos", O::Position, 1),
    ("cos", O::Cosine, 1),
    ("even", O::Even, 1),
    ("exp", O::ExponentialOf, 1),
    ("exponential", O::Exponential, 1),
    ("fractional", O::Fractional, 1),
    ("hip", O::Hypotenuse, 2),
    ("if", O::If, 3),
    ("ifu", O::IfUndefined, 4),
    ("isint", O::Whole, 1),
    ("isundefined", O::Undefined, 1),
    ("ln", O::Natural, 1),
    ("log", O::Decimal, 1),
    ("logn", O::LogarithmTo, 2),
    ("max", O::Maximum, 2),
    ("min", O::Minimum, 2),
    ("normal", O::Normal, 2),
    ("odd", O::Odd, 1),
    ("poisson", O::Poisson, 1),
    ("power", O::Power, 2),
    ("randint", O::RandomInteger, 1),
    ("random", O::Random, 0),
    ("randomsign", O::RandomSign, 0),
    ("remainder", O::Remainder, 2),
    ("round", O::Round, 1),
    ("sign", O::Sign, 1),
    ("sin", O::Sine, 1),
    ("sqrt", O::SquareRoot, 1),
    ("statecount", O::Count(0), 1),
    ("tan", O::Tangent, 1),
    ("time", O::Clock, 0),
    ("trunc", O::Truncate, 1),
    ("truncupper", O::Ceiling, 1),
    ("uniform", O::Uniform, 2),
];

/// Pi and the base of natural logarithms.
pub(super) const PI: &str = "3.141592653589793238462643383280";
pub(super) const E: &str = "2.718281828459045235360287471353";

/// Functions of one argument that are made of others: operations on it and constants, the first one first.
pub(super) const FORMULAS: [(&str, &[Step]); 11] = [
    ("ctof", &[Step(O::Multiply, "9"), Step(O::Divide, "5"), Step(O::Add, "32")]),
    ("ctok", &[Step(O::Add, "273")]),
    ("ftoc", &[Step(O::Subtract, "32"), Step(O::Multiply, "5"), Step(O::Divide, "9")]),
    ("ftok", &[Step(O::Subtract, "32"), Step(O::Multiply, "5"), Step(O::Divide, "9"), Step(O::Add, "273")]),
    ("ktoc", &[Step(O::Subtract, "273")]),
    ("ktof", &[Step(O::Subtract, "273"), Step(O::Multiply, "9"), Step(O::Divide, "5"), Step(O::Add, "32")]),
    ("degtorad", &[Step(O::Multiply, PI), Step(O::Divide, "180")]),
    ("radtodeg", &[Step(O::Multiply, "180"), Step(O::Divide, PI)]),
    ("cosec", &[Step(O::Sine, ""), Step(O::Divide, "1")]),
    ("cotan", &[Step(O::Tangent, ""), Step(O::Divide, "1")]),
    ("sec", &[Step(O::Cosine, ""), Step(O::Divide, "1")]),
];

/// An operation of a formula on the value so far and a constant, or on that value alone; the argument of a function is
/// its divisor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step(pub Operator, pub &'static str);

/// Functions of the original that are not supported, and why.
pub(super) const REFUSED: [(&[&str], &str); 4] = [
    (
        &[
            "sinh",
            "cosh",
            "tanh",
            "sech",
            "cosech",
            "cotanh",
            "asec",
            "asinh",
            "acosh",
            "atanh",
            "asech",
            "acosech",
            "acosec",
            "acotan",
            "acotanh",
            "root",
            "polartorect_x",
            "polartorect_y",
            "recttopolar_r",
            "recttopolar_angle",
        ],
        "write it with exp, ln, sqrt, hip, sin, cos and atan",
    ),
    (
        &["beta", "chi", "gamma"],
        "use random, uniform(LOW, HIGH), randInt(N), randomSign, normal(MEAN, DEVIATION), exponential(MEAN), poisson(MEAN) or \
         binomial(N, P)",
    ),
    (&["fact", "comb", "gcd", "lcm", "isprime", "nextprime", "nth_prime"], "use + - * /, remainder(A, B), min and max"),
    (
        &[
            "inf",
            "grav",
            "accel",
            "light",
            "planck",
            "avogadro",
            "faraday",
            "rydberg",
            "euler_gamma",
            "bohr_radius",
            "boltzmann",
            "bohr_magneton",
            "golden",
            "catalan",
            "amu",
            "pem",
            "electron_charge",
            "electron_mass",
            "proton_mass",
            "neutron_mass",
            "ideal_gas",
            "parachor",
            "stefan_boltzmann",
        ],
        "the constants are pi, e, t, f and ?; write the number itself, which must lie within 2^31",
    ),
];

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// A number.
    Constant(Fixed),
    /// A number that [`Fixed`] does not have, and where it stands: only while a rule is read.
    Exact(Ratio, Place),
    /// The value of the cell itself on a port.
    Own(usize),
    /// The value of the n-th neighbour on a port.
    Neighbour(usize, usize),
    /// A state variable of the cell.
    Variable(usize),
    /// The value of an input port of the cell; the first is the value of the port by which a value has come in.
    Input(usize),
    /// An operator and its arguments.
    Apply(Operator, Vec<Expression>),
}

impl Expression {
    /// Whether this expression or a part of it passes a test.
    pub fn any(&self, test: &dyn Fn(&Self) -> bool) -> bool {
        test(self) || matches!(self, Self::Apply(_, parts) if parts.iter().any(|part| part.any(test)))
    }

    /// The depth of nested branches. An `if` that is the last part of another stands behind it, not within.
    pub fn branches(&self) -> usize {
        let Self::Apply(operator, parts) = self else { return 0 };
        let branches = |(n, part): (usize, &Self)| match (operator, n, part) {
            (O::If, 2, Self::Apply(O::If, _)) => part.branches(),
            (O::If | O::IfUndefined, 1.., _) => 1 + part.branches(),
            _ => part.branches(),
        };
        parts.iter().enumerate().map(branches).max().unwrap_or(0)
    }

    /// Whether the expression draws random numbers.
    pub fn draws(&self) -> bool {
        self.any(&|e| matches!(e, Self::Apply(operator, _) if operator.draws()))
    }

    /// A lower bound on the value, where one is easy to find. `?` and faults do not count as values here.
    pub fn least(&self) -> Option<Fixed> {
        let Self::Apply(operator, parts) = self else {
            return match self {
                Self::Constant(number) if !number.is_undefined() => Some(*number),
                _ => None,
            };
        };
        let part = |n: usize| parts[n].least();
        match operator {
            O::Add => part(0)?.checked_add(part(1)?),
            O::If => Some(lesser(part(1)?, part(2)?)),
            O::IfUndefined => Some(lesser(lesser(part(1)?, part(2)?), part(3)?)),
            O::Minimum => Some(lesser(part(0)?, part(1)?)),
            O::Maximum => match (part(0), part(1)) {
                (Some(a), Some(b)) => Some(if a.bits() < b.bits() { b } else { a }),
                (a, b) => a.or(b),
            },
            O::Multiply => {
                part(0).zip(part(1)).filter(|(a, b)| a.bits() >= 0 && b.bits() >= 0)?.0.checked_mul(part(1)?)
            }
            O::Scale(factor) => factor.times(part(0).filter(|least| least.bits() >= 0 && !factor.negative)?),
            O::Round | O::Truncate | O::Ceiling => part(0).filter(|least| least.bits() >= 0).and_then(Fixed::trunc),
            O::Uniform => part(0),
            O::Absolute
            | O::Random
            | O::Chance(_)
            | O::RandomInteger
            | O::Count(_)
            | O::Position
            | O::Clock
            | O::SquareRoot
            | O::Hypotenuse
            | O::Power
            | O::ExponentialOf
            | O::ArcCosine
            | O::Exponential
            | O::Poisson
            | O::Binomial => {
                // An absolute value or a draw may be 0.
                Some(Fixed::ZERO)
            }
            _ => None,
        }
    }
}

fn lesser(a: Fixed, b: Fixed) -> Fixed {
    if b.bits() < a.bits() { b } else { a }
}

/// A rule: the new values, their delay, and the condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// Ports and their new values, each port once. A file without ports has one port.
    pub values: Vec<(usize, Expression)>,
    /// State variables and their new values, one after the other: before the values, after the delay.
    pub variables: Vec<(usize, Expression)>,
    pub delay: Delay,
    pub condition: Expression,
}

impl Rule {
    /// All its expressions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let delay = match &self.delay {
            Delay::Computed(expression) => Some(expression),
            Delay::Ticks(_) => None,
        };
        let given = self.values.iter().chain(&self.variables).map(|(_, expression)| expression);
        given.chain(delay).chain([&self.condition])
    }
}

/// The delay of a new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Delay {
    /// A number of ticks.
    Ticks(u64),
    /// A computed number of milliseconds.
    Computed(Expression),
}

impl Delay {
    /// A lower bound on the delay, in ticks.
    pub fn least(&self) -> u64 {
        match self {
            Self::Ticks(ticks) => *ticks,
            Self::Computed(e) => e.least().map_or(0, |least| least.bits().max(0) as u64),
        }
    }
}
