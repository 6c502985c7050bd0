// lib/no_faults: the twin of lib/faults for what is done before a run begins: nothing can go wrong yet.

fn raise(fault: u32, entity: u32) {}
