// lib/logarithms: the rows of the table of logarithms, in a buffer of their own.

var<storage, read> logarithms: array<vec4<u32>, 256>;

fn logarithm_row(number: u32) -> vec4<u32> { return logarithms[number]; }
