// multiclass/resources/units_taken: tokens take units of resources, and give them back. A token has from its row `units_held` on its station,
// with HELD where it is blocked and ASIDE where it stands aside, and its units of each resource.
// Reads: parameters, model_table. Reads and writes: replication_state.

import fold::{folds_units};
import package::multiclass::parameters::{NONE, plan};
import package::multiclass::resources::resources::{change_free, free_units, resource_of};
import package::multiclass::resources::rules::{Seizing, all_units_of, need_at};
import package::multiclass::resources::units::{unit_rule};
import package::multiclass::rows::{row_at, set_row, with_word};
import package::multiclass::state::{mine};
import package::multiclass::tokens::{token_at};

// The row of a token with a number of these words; the first word is its station.
fn held_row(token: u32, number: u32) -> u32 { return token_at(token) + plan.units_held + number / 4u; }

fn held_number(token: u32, number: u32) -> u32 {
    let row = row_at(held_row(token, number));
    return row[number % 4u];
}

fn set_held(token: u32, number: u32, value: u32) {
    let row = held_row(token, number);
    set_row(row, with_word(row_at(row), number & 3u, value));
}

// The first alternative of a station with this rule of which there are all units, or NONE.
fn free_alternative(rule: Seizing) -> u32 {
    var alternative = 0u;
    var is_free = true;
    for (var number = rule.first; number < rule.first + rule.count; number += 1u) {
        let need = need_at(number);
        if (need.alternative != alternative) {
            if (is_free) { return alternative; }
            alternative = need.alternative;
            is_free = true;
        }
        is_free = is_free && free_units(need.kind) >= need.units;
    }
    return select(NONE, alternative, is_free);
}

fn are_free(rule: Seizing) -> bool { return free_alternative(rule) != NONE; }

// A token takes the units that the open station seizes.
fn take_units(token: u32) {
    let alternative = free_alternative(unit_rule);
    for (var need = unit_rule.first; need < unit_rule.first + unit_rule.count; need += 1u) {
        let taken = need_at(need);
        if (taken.alternative != alternative) { continue; }
        if (taken.is_stock == 0u) { set_held(token, 1u + taken.kind, held_number(token, 1u + taken.kind) + taken.units); }
        change_free(taken.kind, 0u - taken.units, mine.counted);
        folds_units(taken.kind, taken.units, true);
    }
}

fn give_back(token: u32, kind: u32, most: u32) {
    let units = held_number(token, 1u + kind);
    let given = min(units, most);
    if (given == 0u) { return; }
    set_held(token, 1u + kind, units - given);
    change_free(kind, given, 0u);
    folds_units(kind, given, false);
}

// Units come, as far as there is room.
fn bring(kind: u32, units: u32) {
    let brought = min(units, all_units_of(kind).units - resource_of(kind).free);
    if (brought == 0u) { return; }
    change_free(kind, brought, 0u);
    folds_units(kind, brought, false);
}

fn give_some(token: u32, first: u32, count: u32) {
    for (var number = first; number < first + count; number += 1u) {
        let need = need_at(number);
        if (need.is_stock == 0u) { give_back(token, need.kind, need.units); } else { bring(need.kind, need.units); }
    }
}
