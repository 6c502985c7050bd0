// queueing/links: one buffer of words for all lists. A link is an entity plus 1; 0 is no link.
//
//   [0, parameters.links)   the lists of the topology; first the inbox of each station
//   links + entity          the entity behind this one in an inbox, or the slot behind it among free ones
//   links + entities + 2s   the entity of slot s of the round, and where it arrives: a station, or NONE; by appointments
//                           the heaps below entity s, see queueing/skew_heap
//
// An inbox is a list in no particular order, put together by exchanges; its reader sorts it first.

import package::queueing::records::{links, parameters};

fn inbox_place(station: u32) -> u32 { return station; }
fn link_place(entity: u32) -> u32 { return parameters.links + entity; }
fn slot_place(slot: u32) -> u32 { return parameters.links + parameters.entities + 2u * slot; }

fn link_of(entity: u32) -> u32 { return atomicLoad(&links[link_place(entity)]); }
fn set_link(entity: u32, link: u32) { atomicStore(&links[link_place(entity)], link); }

// Puts an entity in front of a list.
fn push(list: u32, entity: u32) { set_link(entity, atomicExchange(&links[list], entity + 1u)); }
