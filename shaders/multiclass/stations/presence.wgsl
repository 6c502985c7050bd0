// multiclass/stations/presence: tokens come to the open station, or leave it. Every module that counts tokens is told.
// Reads and writes: replication_state, and the words of those modules.

import class_counts::{class_comes, class_goes};
import package::multiclass::stations::station::{site};
import fold::{folds_present};
import histograms::{sees_present};
import series::{notes_at_station};
import shares::{changes_pace};

fn comes_here(class_of: u32) {
    sees_present(class_of, 1u);
    notes_at_station(class_of, 1u);
    folds_present(class_of, true);
    class_comes(class_of);
    changes_pace();
    site.present += 1u;
}

fn goes_from_here(class_of: u32) {
    sees_present(class_of, 0xffffffffu);
    notes_at_station(class_of, 0xffffffffu);
    folds_present(class_of, false);
    class_goes(class_of);
    changes_pace();
    site.present -= 1u;
}
