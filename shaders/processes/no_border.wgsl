// processes/no_border: a device that has all processes of the run.

fn first_process() -> u32 { return 0u; }
fn border_waits() -> bool { return false; }
fn close_border() {}
