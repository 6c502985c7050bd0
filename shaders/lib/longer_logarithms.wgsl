// lib/longer_logarithms: the rows of the table of logarithms, and behind them the tables of laws.

var<storage, read> logarithms: array<vec4<u32>>;

fn logarithm_row(number: u32) -> vec4<u32> { return logarithms[number]; }
