// lib/longer_logarithms: the rows of the table of logarithms, behind them the tables of laws, and of a model of one's own its laws.

var<storage, read> logarithms: array<vec4<u32>>;

fn logarithm_row(number: u32) -> vec4<u32> { return logarithms[number]; }
