// lib/longer_logarithms: the rows of the logarithm, and behind them the table of a law.

var<storage, read> logarithms: array<vec4<u32>>;

fn logarithm_row(number: u32) -> vec4<u32> { return logarithms[number]; }
