// queueing/departure (step 4; one thread an imminent token or source)
// What: puts the entity into the inbox of the station where it arrives; a token that leaves the network gives up its
//       place.
// Reads: tokens. Writes: links, next_event of tokens that leave; over ranks also annex and control.
// Afterwards: every arrival of this round is in the inbox of its station, and in its slot with that station; an arrival
//             of a crowd is only in the crowd's lists.

import package::queueing::links::{inbox_place, push, slot_place};
import package::queueing::records::{NONE, OUTSIDE, links};
import crowd_lists::{crowd_at, join};
import destinations::{destination, leave};

fn depart(slot: u32, id: u32) {
    let target_station = destination(id);
    let crowd = crowd_at(target_station);
    var here = NONE;
    if (crowd != NONE) {
        join(crowd, id);
    } else if (target_station < OUTSIDE) {
        here = target_station;
        push(inbox_place(here), id);
    } else {
        leave(id);
    }
    atomicStore(&links[slot_place(slot)], id);
    atomicStore(&links[slot_place(slot) + 1u], here);
}
