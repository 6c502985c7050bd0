// lib/stream: the stream of an entity from the run's key, by SplitMix64 (Steele, Lea and Flood 2014): outputs 2 *
// entity and 2 * entity + 1 of the generator that starts at the key. Only the state of a stream is stored; computing
// its increment again is cheaper than loading it.

import package::lib::pcg32::{Stream, draw};
import package::lib::wide::{wide_shift_right, wide_xor};
import word64::{Wide, wide, wide_add, wide_high, wide_low, wide_multiply};

fn split_mix_64(word: Wide) -> Wide {
    var w = wide_multiply(wide_xor(word, wide_shift_right(word, 30u)), wide(0x1ce4e5b9u, 0xbf58476du));
    w = wide_multiply(wide_xor(w, wide_shift_right(w, 27u)), wide(0x133111ebu, 0x94d049bbu));
    return wide_xor(w, wide_shift_right(w, 31u));
}

fn split_mix_output(key: Wide, number: u32) -> Wide {
    return split_mix_64(wide_add(key, wide_multiply(wide(number + 1u, 0u), wide(0x7f4a7c15u, 0x9e3779b9u))));
}

fn entity_increment(key: Wide, entity: u32) -> Wide {
    let number = split_mix_output(key, 2u * entity + 1u);
    return wide((wide_low(number) << 1u) | 1u, (wide_high(number) << 1u) | (wide_low(number) >> 31u));
}

// The stream before its first draw.
fn entity_stream(key: Wide, entity: u32) -> Stream {
    let increment = entity_increment(key, entity);
    var stream = Stream(wide_add(split_mix_output(key, 2u * entity), increment), increment);
    _ = draw(&stream);
    return stream;
}
