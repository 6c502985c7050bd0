// multiclass/ways_by_chance: the route of a token is drawn with its service.

fn way_of(class_of: u32, drawn: u32) -> u32 { return drawn; }
