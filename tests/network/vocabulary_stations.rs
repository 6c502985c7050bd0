//! Stations of random files over the whole vocabulary.

use super::vocabulary::{Plan, Writer};

impl Writer {
    pub(super) fn station(&mut self, place: usize, plan: &mut Plan) {
        let law = self.picks.law();
        self.line(format!("[[station]]\nname = 's{place}'\nservice = '{law}'"));
        let (discipline, is_infinite) = (self.picks.discipline(), self.picks.one_in(8));
        let shares = discipline == "ps" && !plan.feeds && !is_infinite;
        let discipline = if is_infinite || discipline == "ps" && !shares { "fcfs" } else { discipline };
        let queues = !is_infinite && !shares;
        plan.told.shares = shares;
        self.used.insert(discipline);
        self.line(format!("discipline = '{discipline}'"));
        let is_single = self.servers(is_infinite, shares);
        let has_effect = self.priorities.len() > 1 && discipline != "lcfs-preemptive";
        let interrupts = queues && self.picks.one_in(4) && has_effect;
        if interrupts {
            self.key("preemptive", true);
        }
        self.units(shares || interrupts || discipline == "lcfs-preemptive");
        let is_patient = !queues || plan.feeds || self.keeps_all;
        if !is_patient && self.picks.one_in(4) {
            let law = self.picks.law();
            self.key("patience", format!("'{law}'"));
            plan.told.reneges_away = self.goes(place, "reneges_to");
        }
        if !self.keeps_all && self.picks.one_in(5) {
            self.key("balking", "[0, 0.25, 0.5]");
            plan.told.balks_away = self.goes(place, "balks_to");
        }
        if self.picks.one_in(4) {
            let list = ["[1, 0.5, 2]", "[0.5]", "[2, 1]"][self.picks.of(3) as usize];
            self.key("speeds", list);
        }
        if plan.told.joins {
            self.key("joins", true);
        }
        if let Some(routing) = plan.routing {
            self.used.insert(routing);
            self.line(format!("routing = '{routing}'"));
        }
        if self.picks.one_in(4) {
            self.key("cost", "{ waiting = 1, served = -2.5, lost = 3, balked = 4, reneged = 5 }");
        }
        if self.used.contains("distributions") {
            self.key("targets", "[0, 0.5, 2]");
        }
        let mut room = self.room(plan.told.full);
        if room < u32::MAX && self.picks.one_in(3) {
            plan.told.full_elsewhere = !self.goes(place, "full_to");
        }
        let first = if self.is_empty { 0 } else { self.picks.of(3).min(room) };
        room -= first;
        self.line(format!("tokens = {first}"));
        plan.told.tokens = vec![0; self.classes.max(1) as usize];
        plan.told.tokens[0] = first.into();
        for class in 0..self.classes {
            if self.picks.one_in(2) {
                self.line(format!("[[station.class]]\nname = 'c{class}'"));
                self.class_of(class as usize, plan, &mut room, (is_patient, shares && is_single));
            }
        }
    }

    /// How many servers there are and how they come and go; whether it is one, always.
    fn servers(&mut self, is_infinite: bool, shares: bool) -> bool {
        let servers = if shares && self.picks.one_in(2) { 1 } else { 1 + self.picks.of(3) };
        if is_infinite {
            self.used.insert("infinite");
            self.line("servers = 'infinite'");
            return false;
        }
        let kind = if shares { 8 } else { self.picks.of(9) };
        if kind == 0 {
            self.key("shifts", "[[0, 2], [4, 0], [6, 1], [9, 3]]");
            self.key("period", 12);
            if self.picks.one_in(2) {
                self.key("shift_end", "'interrupt'");
            }
        } else {
            self.line(format!("servers = {servers}"));
        }
        match kind {
            0 | 1 if self.picks.one_in(2) => self.key("failures", "{ up = 'exponential:5', down = 'exponential:1' }"),
            2 | 3 => {
                self.used.insert("use");
                self.line("failures = { use = 'exponential:3', down = 'constant:0.75' }");
            }
            _ => {}
        }
        match self.picks.of(6) {
            0 if !shares => self.key("setup", "'exponential:0.5'"),
            1 if !shares => self.key("vacation", "'uniform:0.5,2'"),
            _ => {}
        }
        servers == 1 && kind > 0
    }

    /// What is seized and released: together with a server only where nobody interrupts or shares.
    fn units(&mut self, early: bool) {
        for (key, chance) in [("seizes", 2), ("releases", 2)] {
            if self.units_there.is_empty() || !self.picks.one_in(chance) {
                continue;
            }
            let resource = self.picks.of(self.units_there.len() as u32) as usize;
            let units = 1 + self.picks.of(self.units_there[resource]);
            self.key(key, format!("{{ r{resource} = {units} }}"));
            if key == "seizes" && (early || self.picks.one_in(3)) {
                self.key("seizes_at", "'arrival'");
            }
        }
    }

    /// Where those go that balk or renege; whether out of the network. Never to a station at or behind this one, round in a circle.
    fn goes(&mut self, place: usize, key: &'static str) -> bool {
        match self.picks.of(3) {
            0 => true,
            1 if place > 0 => {
                let to = self.picks.of(place as u32);
                self.key(key, format!("'s{to}'"));
                false
            }
            _ => {
                self.key(key, "'lost'");
                false
            }
        }
    }

    /// The capacity, and what happens where it is reached.
    fn room(&mut self, full: Option<&'static str>) -> u32 {
        let room = 2 + self.picks.of(4);
        let Some(full) = full else {
            if self.keeps_all || !self.picks.one_in(4) {
                return u32::MAX;
            }
            self.key("capacity", room);
            return room;
        };
        self.used.insert(full);
        self.line(format!("capacity = {room}\nfull = '{full}'"));
        room
    }

    /// What a class has of its own at a station.
    fn class_of(&mut self, class: usize, plan: &mut Plan, room: &mut u32, (is_patient, has_weight): (bool, bool)) {
        if self.picks.one_in(2) {
            let law = self.picks.law();
            self.key("class service", format!("'{law}'"));
        }
        if !is_patient && self.picks.one_in(4) {
            // Where nothing is said for all, it leaves the network.
            plan.told.reneges_away |= !self.used_here("reneges_to");
            self.key("class patience", "'exponential:4'");
        }
        if has_weight {
            self.key("weight", 2.5);
        }
        let mut most = *room;
        if !self.keeps_all && plan.told.full != Some("exchanges") && self.picks.one_in(3) {
            let capacity = 1 + self.picks.of(3);
            self.key("class capacity", capacity);
            most = most.min(capacity.saturating_sub(plan.told.tokens[class] as u32));
            if u64::from(capacity) < plan.told.tokens[class] {
                // It is refused, then.
                most = 0;
            }
        }
        let tokens = if self.is_empty { 0 } else { self.picks.of(3).min(most) };
        if tokens > 0 {
            self.key("class tokens", tokens);
            plan.told.tokens[class] += u64::from(tokens);
            *room -= tokens;
        }
        if self.picks.one_in(4) {
            self.key("class cost", "{ waiting = 2 }");
        }
    }

    /// Whether the table of the last station has a key.
    fn used_here(&self, key: &str) -> bool {
        self.text.rsplit("[[station]]").next().is_some_and(|table| table.contains(&format!("\n{key} = ")))
    }
}
