// processes/state: the words of the state of the process at work. Word 0 is process.word; the other words of all processes
// lie in a buffer, process after process. A word beyond the state ends the run.
// Reads: parameters. Reads and writes: more_words.

import package::processes::records::{FAULT_STATE, parameters, process};
import package::processes::send::{fail, failed};
import word64::{wide};

var<storage, read_write> more_words: array<u32>;

// The place of word `number`, which is 1 or more.
fn place_of(number: u32) -> u32 {
    if (number < parameters.state_words) { return process.id * (parameters.state_words - 1u) + number - 1u; }
    if (!failed) { fail(FAULT_STATE, wide(number, 0u)); }
    return 0u;
}

fn state_word(number: u32) -> u32 {
    if (number == 0u) { return process.word; }
    return more_words[place_of(number)];
}

fn set_state_word(number: u32, value: u32) {
    if (number == 0u) { process.word = value; } else { more_words[place_of(number)] = value; }
}
