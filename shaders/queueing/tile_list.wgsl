// queueing/tile_list: the tokens on their way to a station, in the contract's order: two at hand, the others in memory.

fn load_list(id: u32, now: ptr<function, Now>) {
    let first = atomicLoad(&links[list_place(id)]);
    (*now).first = first;
    (*now).head = never();
    (*now).rest = 0u;
    if (first != 0u) {
        (*now).head = next_event[first - 1u];
        (*now).rest = link_of(first - 1u);
    }
    (*now).linked = true;
    look_up(now);
}

// The second is the first of those in memory.
fn look_up(now: ptr<function, Now>) {
    let second = (*now).rest;
    (*now).second = second;
    (*now).after = never();
    if (second == 0u) { return; }
    (*now).after = next_event[second - 1u];
    (*now).rest = link_of(second - 1u);
}

// The first is gone.
fn move_up(now: ptr<function, Now>) {
    (*now).first = (*now).second;
    (*now).head = (*now).after;
    look_up(now);
}

fn join(now: ptr<function, Now>, entity: u32, time: Time) {
    let first = (*now).first;
    let second = (*now).second;
    let leads = first == 0u || comes_before(entity, time, first - 1u, (*now).head);
    (*now).linked = false;
    if (!leads && second != 0u && !comes_before(entity, time, second - 1u, (*now).after)) {
        set_link(entity, 0u);
        if ((*now).rest == 0u) { (*now).rest = entity + 1u; } else { (*now).rest = inserted(entity, (*now).rest); }
        return;
    }
    if (second != 0u) {
        set_link(second - 1u, (*now).rest);
        (*now).rest = second;
    }
    if (leads) {
        (*now).second = first;
        (*now).after = (*now).head;
        (*now).first = entity + 1u;
        (*now).head = time;
    } else {
        (*now).second = entity + 1u;
        (*now).after = time;
    }
}

fn store_list(id: u32, now: Now) {
    if (!now.linked && now.first != 0u) {
        set_link(now.first - 1u, now.second);
        if (now.second != 0u) { set_link(now.second - 1u, now.rest); }
    }
    if (atomicLoad(&links[list_place(id)]) != now.first) { atomicStore(&links[list_place(id)], now.first); }
}
