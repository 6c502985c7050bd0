// processes/sets: each process has a set of pending events of its own, whose header lies in its record.
// Reads: parameters. Reads and writes: processes.

import package::pending::queue::{open_queue, queue_header};
import package::processes::records::{parameters, processes};

fn open_pending(id: u32) { open_queue(id, parameters.slots, processes[3u * id]); }
fn close_pending(id: u32) { processes[3u * id] = queue_header(); }
