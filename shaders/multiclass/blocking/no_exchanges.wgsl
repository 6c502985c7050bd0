// multiclass/blocking/no_exchanges: no tokens change places.

// Lets the next of the tokens that change places go, and opens its station. Returns whether there is one.
fn exchange_next() -> bool { return false; }
