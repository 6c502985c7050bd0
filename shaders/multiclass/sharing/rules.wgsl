// multiclass/sharing/rules: what the model table says of stations with a clock.
// Reads: parameters, model_table.

import package::multiclass::parameters::{plan, model_row};
import word64::{Wide, wide};

// The servers of a station whose tokens share all of them, or 0; first row and number of its speeds, 0 rows where the speed is always
// 1; the first row of the weights of classes, or NONE.
struct Sharing {
    servers: u32,
    first_speed: u32,
    speeds: u32,
    first_weight: u32,
}

fn sharing_of(id: u32) -> Sharing {
    let row = model_row(plan.sharing_rows + id);
    return Sharing(row.x, row.y, row.z, row.w);
}

// In units of 2^-32.
struct Speed { speed: Wide }

fn speed_numbered(number: u32) -> Wide {
    let row = model_row(number);
    return Speed(wide(row.x, row.y)).speed;
}

struct Weight { weight: u32 }

fn weight_numbered(number: u32) -> u32 {
    let row = model_row(number);
    return Weight(row.x).weight;
}
