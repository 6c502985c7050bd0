//! The exponential variate in integers.
//!
//! A draw r stands for the uniform number u = (r + 1/2) / 2³². With x = 2r + 1 = 2ⁿ·(1 + f),
//! -ln u = (33 - n)·ln 2 - ln(1 + f). The fraction f picks one of 256 rows by its top 8 bits; the rest goes into a
//! quadratic that needs two high halves of 32 x 32-bit products. One unit of the result is 2⁻³².
//! The absolute error is below 2⁻²⁸ and the result never grows with r; `tests/variates/exponential.rs` holds both.

use std::sync::OnceLock;

/// ln 2 times 2⁶⁴, rounded down.
const LN_2: u64 = 0xB172_17F7_D1CF_79AB;

/// One row of the logarithm: `ln(1 + f) ≈ value + t·(slope - curvature·t)` with t the part of f below the row.
///
/// All three are fractions of 2³². The fourth word keeps a row at 16 bytes on the device.
///
/// ```
/// # use tickless_core::facade as tickless;
/// let rows = tickless::random::logarithm_table();
/// assert!(rows[255].value > rows[0].value);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct LogarithmRow {
    /// ln of the left end of the row.
    pub value: u32,
    /// The slope at the left end.
    pub slope: u32,
    /// Minus the coefficient of the square.
    pub curvature: u32,
    /// Always 0.
    pub unused: u32,
}

/// The 256 rows, the same on every platform (`libm`, not the system's logarithm).
#[inline]
pub fn logarithm_table() -> &'static [LogarithmRow; 256] {
    static TABLE: OnceLock<[LogarithmRow; 256]> = OnceLock::new();
    TABLE.get_or_init(|| std::array::from_fn(row))
}

/// The quadratic through the row's Chebyshev points for degree two.
fn row(index: usize) -> LogarithmRow {
    const WIDTH: f64 = 1.0 / 256.0;
    let left = index as f64 * WIDTH;
    // (1 + cos((2k + 1)·π / 6)) / 2 for k = 2, 1, 0: the points that minimize the largest error.
    let half = libm::sqrt(3.0) / 4.0;
    let t = [0.5 - half, 0.5, 0.5 + half].map(|p| p * WIDTH);
    let y = t.map(|t| libm::log1p(left + t));
    let first = (y[1] - y[0]) / (t[1] - t[0]);
    let second = ((y[2] - y[1]) / (t[2] - t[1]) - first) / (t[2] - t[0]);
    let slope = first - second * (t[0] + t[1]);
    let value = y[0] - t[0] * (slope + second * t[0]);
    let fixed = |v: f64| (v.max(0.0) * 4_294_967_296.0).floor().min(f64::from(u32::MAX)) as u32;
    LogarithmRow { value: fixed(value), slope: fixed(slope), curvature: fixed(-second), unused: 0 }
}

/// The high word of a 32 x 32-bit product.
#[inline]
const fn multiply_high(a: u32, b: u32) -> u32 {
    ((a as u64 * b as u64) >> 32) as u32
}

/// -ln((r + 1/2) / 2³²) in units of 2⁻³²: an exponential variate of mean 1, at most 23 · 2³².
///
/// ```
/// # use tickless_core::facade as tickless;
/// use tickless::random::exponential;
/// let median = exponential(1 << 31) as f64 / 2f64.powi(32);
/// assert!((median - std::f64::consts::LN_2).abs() < 1e-8);
/// assert!(exponential(0) > exponential(1));
/// ```
#[inline]
pub fn exponential(r: u32) -> u64 {
    exponential_by(logarithm_table(), r)
}

/// The same with a given table.
#[inline]
pub fn exponential_by(table: &[LogarithmRow; 256], r: u32) -> u64 {
    let x = u64::from(r) << 1 | 1;
    let zeros = x.leading_zeros() - 31;
    // Without the leading one-bit.
    let fraction = (x << zeros) as u32;
    let row = &table[(fraction >> 24) as usize];
    let t = fraction & 0x00FF_FFFF;
    let logarithm = row.value + multiply_high(t, row.slope - multiply_high(t, row.curvature));
    let octaves = u64::from(zeros) + 1;
    scale(LN_2, octaves) - u64::from(logarithm)
}

/// `floor(factor · span / 2³²)`: a span of ticks times a factor in units of 2⁻³² (its integer part below 2³²).
///
/// The caller makes sure that the result fits 64 bits.
///
/// ```
/// # use tickless_core::facade as tickless;
/// assert_eq!(tickless::random::scale(3 << 31, 10), 15);
/// ```
#[inline]
pub const fn scale(factor: u64, span: u64) -> u64 {
    ((factor as u128 * span as u128) >> 32) as u64
}
