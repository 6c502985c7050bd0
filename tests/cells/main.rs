//! Cell spaces: the sequential simulator against a naive one, and devices against the sequential simulator.

#[path = "../adapter/mod.rs"]
mod adapter;
mod checkpoints;
mod devices;
mod digests;
mod draws;
mod fire;
mod gossip;
mod log;
mod logs_of_ranks;
mod naive;
mod outside;
mod ranks;
mod reference;
mod rules;
mod shapes;
mod watershed;
mod wave;
