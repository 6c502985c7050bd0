//! The rate of spread of a surface fire (Rothermel 1972, with the changes of Albini 1976), in feet and minutes.

use super::spread::{FEET, Spread};
use super::{Fuel, Laws, Moisture, Wind, WindLimit};

/// Particle density, in pounds per cubic foot.
const DENSITY: f64 = 32.0;
/// Mineral content, and mineral content without silica.
const MINERALS: [f64; 2] = [0.0555, 0.01];
/// Surface-to-volume ratios of 10-hour and 100-hour fuel, per foot.
const COARSE: [f64; 2] = [109.0, 30.0];
/// The least ratios of the size classes over which net loads are weighted (Albini 1976).
const CLASSES: [f64; 5] = [1200.0, 192.0, 96.0, 48.0, 16.0];

/// Kilojoules per square metre in a Btu per square foot.
const BTU_PER_SQUARE_FOOT: f64 = 11.356_527;

/// Fuel of one size class: load, surface-to-volume ratio, moisture as a fraction.
#[derive(Clone, Copy, Default)]
struct Particle {
    load: f64,
    ratio: f64,
    moisture: f64,
}

impl Particle {
    fn area(&self) -> f64 {
        self.load * self.ratio / DENSITY
    }

    /// exp(-k / ratio): the share of the fuel that takes part in ignition. 0 where there is none.
    fn fineness(&self, k: f64) -> f64 {
        if self.load > 0.0 { libm::exp(-k / self.ratio) } else { 0.0 }
    }

    fn class(&self) -> Option<usize> {
        CLASSES.iter().position(|least| self.ratio >= *least)
    }
}

/// The dead or the live fuel of a bed.
struct Category {
    particles: Vec<Particle>,
    area: f64,
}

impl Category {
    fn new(particles: Vec<Particle>) -> Self {
        let area = particles.iter().map(Particle::area).sum();
        Self { particles, area }
    }

    /// The mean over its particles, each weighted by its share of the surface.
    fn mean(&self, value: impl Fn(&Particle) -> f64) -> f64 {
        let sum: f64 = self.particles.iter().map(|particle| particle.area() * value(particle)).sum();
        if self.area > 0.0 { sum / self.area } else { 0.0 }
    }

    fn load(&self) -> f64 {
        self.particles.iter().map(|particle| particle.load).sum()
    }

    /// The net load, where particles of one size class share the weight.
    fn net_load(&self) -> f64 {
        let share = |class: Option<usize>| self.mean(|other| f64::from(class.is_some() && other.class() == class));
        self.particles.iter().map(|particle| share(particle.class()) * particle.load * (1.0 - MINERALS[0])).sum()
    }

    /// Moisture damping, from the moisture of extinction.
    fn damping(&self, extinction: f64) -> f64 {
        let share = self.mean(|particle| particle.moisture) / extinction;
        let damping = 1.0 + share * (-2.59 + share * (5.11 - 3.52 * share));
        if share < 1.0 { damping.max(0.0) } else { 0.0 }
    }
}

/// A fuel bed at one moisture: its fire without wind and slope, and how wind and slope change it.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::{Fuel, FuelBed, Moisture};
/// let dry = Moisture { one_hour: 5.0, ten_hour: 6.0, hundred_hour: 7.0, herb: 60.0, woody: 90.0 };
/// let bed = FuelBed::new(Fuel::of(1).unwrap(), &dry);
/// assert!((1.4..1.5).contains(&bed.still_rate()), "{} m/min", bed.still_rate());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FuelBed {
    /// Rate of spread without wind and slope, in feet per minute.
    rate: f64,
    /// Reaction intensity, in Btu per square foot and minute.
    intensity: f64,
    /// How long a flame stays, in minutes (Anderson 1969).
    residence: f64,
    /// The wind factor is `wind[0]` times speed to the power `wind[1]`.
    wind: [f64; 2],
    /// The slope factor is this times the squared tangent of the slope.
    slope: f64,
}

impl FuelBed {
    /// The bed of a fuel model.
    pub fn new(fuel: &Fuel, moisture: &Moisture) -> Self {
        let [dead, live] = categories(fuel, moisture);
        let area = dead.area + live.area;
        let mean =
            |value: &dyn Fn(&Particle) -> f64| (dead.area * dead.mean(value) + live.area * live.mean(value)) / area;
        let ratio = mean(&|particle| particle.ratio);
        let bulk = (dead.load() + live.load()) / fuel.depth;
        let packing = bulk / DENSITY;
        let relative = packing * libm::pow(ratio, 0.8189) / 3.348;
        let minerals = (0.174 * libm::pow(MINERALS[1], -0.19)).min(1.0);
        let heat = dead.net_load() * dead.damping(fuel.extinction) * fuel.heat[0]
            + live.net_load() * live.damping(live_extinction(fuel, &dead, &live)) * fuel.heat[1];
        let intensity = reaction_velocity(ratio, relative) * heat * minerals;
        let flux = libm::exp((0.792 + 0.681 * ratio.sqrt()) * (packing + 0.1)) / (192.0 + 0.2595 * ratio);
        let sink = bulk * mean(&|particle| particle.fineness(138.0) * (250.0 + 1116.0 * particle.moisture));
        let reach = libm::pow(relative, -0.715 * libm::exp(-3.59e-4 * ratio));
        Self {
            rate: intensity * flux / sink,
            intensity,
            residence: 384.0 / ratio,
            wind: [7.47 * libm::exp(-0.133 * libm::pow(ratio, 0.55)) * reach, 0.025_26 * libm::pow(ratio, 0.54)],
            slope: 5.275 * libm::pow(packing, -0.3),
        }
    }

    /// Rate of spread without wind and slope, in metres per minute.
    pub fn still_rate(&self) -> f64 {
        self.rate / FEET
    }

    /// The heat that a fire gives off per area, in kilojoules per square metre.
    pub fn heat_per_area(&self) -> f64 {
        self.intensity * self.residence * BTU_PER_SQUARE_FOOT
    }

    /// The fire under a wind on a slope (rise per distance toward east and toward north). Wind and slope add as vectors.
    pub fn spread(&self, wind: Wind, gradient: [f64; 2], laws: Laws) -> Spread {
        let [windy, steep] = [self.wind_push(wind.toward), self.slope_push(gradient)];
        let push = [0, 1].map(|axis| windy[axis] + steep[axis]);
        let factor = (push[0] * push[0] + push[1] * push[1]).sqrt();
        let heading = if factor > 0.0 { [push[0] / factor, push[1] / factor] } else { [0.0, 1.0] };
        let factor = self.most_factor(laws.limit).map_or(factor, |most| factor.min(most));
        let effective = self.wind_of(factor);
        let shape = laws.shape.ratio(effective, wind.adjustment);
        Spread::new(self.rate * (1.0 + factor) / FEET, heading, effective, shape)
    }

    /// By how much a wind, in metres per minute toward east and north, makes a fire faster, and in which direction.
    pub(super) fn wind_push(&self, toward: [f64; 2]) -> [f64; 2] {
        let speed = (toward[0] * toward[0] + toward[1] * toward[1]).sqrt();
        let windy = if speed > 0.0 { self.wind_factor(speed * FEET) / speed } else { 0.0 };
        toward.map(|along| windy * along)
    }

    /// The same for a slope (rise per distance toward east and north).
    pub(super) fn slope_push(&self, gradient: [f64; 2]) -> [f64; 2] {
        let steepness = (gradient[0] * gradient[0] + gradient[1] * gradient[1]).sqrt();
        gradient.map(|along| self.slope * steepness * along)
    }

    /// The largest factor of wind and slope together.
    pub(super) fn most_factor(&self, limit: WindLimit) -> Option<f64> {
        (limit == WindLimit::Rothermel).then(|| self.wind_factor(0.9 * self.intensity))
    }

    /// The wind, in metres per minute, that makes a fire faster by a factor.
    pub(super) fn wind_of(&self, factor: f64) -> f64 {
        if factor > 0.0 { libm::pow(factor / self.wind[0], 1.0 / self.wind[1]) / FEET } else { 0.0 }
    }

    /// The power of the wind that makes a fire faster.
    pub(super) fn wind_power(&self) -> f64 {
        self.wind[1]
    }

    /// The wind factor of a speed in feet per minute.
    fn wind_factor(&self, speed: f64) -> f64 {
        if speed > 0.0 { self.wind[0] * libm::pow(speed, self.wind[1]) } else { 0.0 }
    }
}

/// Dead and live fuel, after a dynamic model's herbaceous fuel has dried.
fn categories(fuel: &Fuel, moisture: &Moisture) -> [Category; 2] {
    let [one, ten, hundred, herb, woody] = fuel.loads;
    let cured = if fuel.dynamic { herb * cured_share(moisture.herb / 100.0) } else { 0.0 };
    let particle = |load, ratio, percent: f64| Particle { load, ratio, moisture: percent / 100.0 };
    let dead = vec![
        particle(one, fuel.ratios[0], moisture.one_hour),
        particle(ten, COARSE[0], moisture.ten_hour),
        particle(hundred, COARSE[1], moisture.hundred_hour),
        particle(cured, fuel.ratios[1], moisture.one_hour),
    ];
    let live =
        vec![particle(herb - cured, fuel.ratios[1], moisture.herb), particle(woody, fuel.ratios[2], moisture.woody)];
    [dead, live].map(Category::new)
}

/// The share of herbaceous fuel that is dead, from its moisture: all of it at 30 % (Scott and Burgan 2005), in the
/// numbers of BehavePlus.
fn cured_share(moisture: f64) -> f64 {
    match moisture {
        m if m < 0.3 => 1.0,
        m if m <= 1.2 => (1.333 - 1.11 * m).clamp(0.0, 1.0),
        _ => 0.0,
    }
}

/// The moisture of extinction of live fuel (Albini 1976): the higher, the more fine dead fuel is beside it.
fn live_extinction(fuel: &Fuel, dead: &Category, live: &Category) -> f64 {
    let fine = |particle: &Particle| particle.load * particle.fineness(138.0);
    let fine_dead: f64 = dead.particles.iter().map(fine).sum();
    let fine_live: f64 = live.particles.iter().map(|particle| particle.load * particle.fineness(500.0)).sum();
    if fine_live <= 0.0 {
        return fuel.extinction;
    }
    let water: f64 = dead.particles.iter().map(|particle| fine(particle) * particle.moisture).sum();
    let dryness = 1.0 - water / fine_dead / fuel.extinction;
    (2.9 * fine_dead / fine_live * dryness - 0.226).max(fuel.extinction)
}

/// The optimum reaction velocity, per minute.
fn reaction_velocity(ratio: f64, relative: f64) -> f64 {
    let power = ratio * ratio.sqrt();
    let exponent = 133.0 * libm::pow(ratio, -0.7913);
    power / (495.0 + 0.0594 * power) * libm::pow(relative, exponent) * libm::exp(exponent * (1.0 - relative))
}
