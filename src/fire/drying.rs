//! Dead fuel that dries and wets with the air: moisture by time lag.

use super::raster::{finite, wrong};
use super::{FireError, Weather};

/// The time lags of fuel of 1, 10 and 100 hours, in minutes: then 1/e of a difference is left.
const LAGS: [f64; 3] = [60.0, 600.0, 6000.0];

/// The place of the humidity among the columns.
const HUMIDITY: usize = 1;

/// The air over the fuel.
///
/// Fuel in it comes to an equilibrium moisture (Simard 1968, whose three straight pieces the U.S. National Fire-Danger Rating System
/// uses): after an hour 1-hour fuel has 1/e of the difference left, after ten hours 10-hour fuel.
///
/// ```
/// # use tickless_fire::facade as tickless;
/// use tickless::cells::fire::Air;
/// let percent = (100.0 * Air { temperature: 25.0, humidity: 30.0 }.equilibrium()).round() / 100.0;
/// assert_eq!(percent, 5.89);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// In degrees Celsius.
    pub temperature: f64,
    /// Relative, in percent.
    pub humidity: f64,
}

impl Air {
    /// The columns of a file.
    pub(super) const COLUMNS: [&'static str; 2] = ["temperature_c", "humidity"];

    /// From the fields of a line.
    pub(super) fn of([temperature, humidity]: [&str; 2], file: &str, line: u64) -> Result<Self, FireError> {
        let number = |what: usize, field: &str, [least, most]: [f64; 2]| {
            let percent = if what == HUMIDITY { " percent, and a fraction of 1 times 100" } else { "" };
            let allowed = format!("a number from {least} to {most}{percent}");
            // No air is as dry as 1 %, but for none at all.
            let is_fraction = |value: f64| what == HUMIDITY && value > 0.0 && value < 1.0;
            let value = finite(field).filter(|value| (least..=most).contains(value) && !is_fraction(*value));
            value.ok_or_else(|| wrong(file, line, Self::COLUMNS[what], field, &allowed))
        };
        Ok(Self {
            temperature: number(0, temperature, [-50.0, 60.0])?,
            humidity: number(HUMIDITY, humidity, [0.0, 100.0])?,
        })
    }

    /// The equilibrium moisture of dead fuel, in percent of its dry weight.
    pub fn equilibrium(&self) -> f64 {
        let (t, h) = (1.8 * self.temperature + 32.0, self.humidity);
        let percent = match h {
            ..10.0 => 0.032_29 + 0.281_073 * h - 0.000_578 * h * t,
            ..50.0 => 2.227_49 + 0.160_107 * h - 0.014_784 * t,
            _ => 21.060_6 + 0.005_565 * h * h - 0.000_35 * h * t - 0.483_199 * h,
        };
        percent.max(0.0)
    }

    /// The moistures (of 1, 10 and 100 hours, in percent) after some minutes in this air.
    fn after(&self, minutes: f64, moistures: [f64; 3]) -> [f64; 3] {
        let limit = self.equilibrium();
        std::array::from_fn(|class| limit + (moistures[class] - limit) * libm::exp(-minutes / LAGS[class]))
    }
}

impl Weather {
    /// Sets the moistures of dead fuel in each row but the first from those of the row before and the air since, where each row has its
    /// air.
    pub(super) fn dry(&mut self, air: &[Air]) {
        for (row, air) in (1..self.rows().len()).zip(air) {
            let before = self.rows()[row - 1];
            let moisture = before.moisture;
            let lasted = self.rows()[row].minutes - before.minutes;
            let [one, ten, hundred] = air.after(lasted, [moisture.one_hour, moisture.ten_hour, moisture.hundred_hour]);
            let now = &mut self.drying_rows()[row].moisture;
            (now.one_hour, now.ten_hour, now.hundred_hour) = (one, ten, hundred);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table of equilibrium moisture by hand from Simard's three pieces, in degrees Fahrenheit.
    #[test]
    fn equilibrium_is_simards() {
        let at = |fahrenheit: f64, humidity| Air { temperature: (fahrenheit - 32.0) / 1.8, humidity }.equilibrium();
        for (found, expected) in [(at(80.0, 5.0), 1.206_455), (at(80.0, 30.0), 5.847_98), (at(80.0, 80.0), 15.780_68)] {
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
        assert!(at(110.0, 0.0) >= 0.0);
    }

    /// After its time lag each class has 1/e of the difference left, in one step or in many.
    #[test]
    fn fuel_follows_by_its_lag() {
        let air = Air { temperature: 25.0, humidity: 30.0 };
        let limit = air.equilibrium();
        for (class, lag) in LAGS.into_iter().enumerate() {
            let left = (air.after(lag, [20.0; 3])[class] - limit) / (20.0 - limit);
            assert!((left - (-1.0_f64).exp()).abs() < 1e-12);
            let steps = (0..10).fold([20.0; 3], |now, _| air.after(lag / 10.0, now))[class];
            assert!((steps - air.after(lag, [20.0; 3])[class]).abs() < 1e-9);
        }
    }

    #[test]
    fn rows_of_a_file_dry() {
        let head = "minutes,wind_kmh,wind_adjustment,wind_from,moisture_1h,moisture_10h,moisture_100h,moisture_herb,\
                    moisture_woody,temperature_c,humidity\n0,20,0.4,270,12,12,12,60,90,30,20\n";
        let text = format!("{head}60,20,0.4,270,,,,60,90,30,20\n6060,20,0.4,270,,,,60,90,5,90\n");
        let rows = Weather::parse(&text, "w.csv").unwrap();
        let [first, second, third] = [0, 1, 2].map(|row| rows.rows()[row].moisture);
        assert!(first.one_hour == 12.0 && second.one_hour < 8.0 && second.hundred_hour > 11.9, "{second:?}");
        assert!((third.one_hour - Air { temperature: 30.0, humidity: 20.0 }.equilibrium()).abs() < 1e-9);
        let error = |text: String| Weather::parse(&text, "w.csv").unwrap_err().to_string();
        let twice = error(text.replace("270,,,,", "270,5,,,"));
        assert!(
            twice.starts_with("w.csv, line 3: moisture_1h is \"5\"; it must be empty behind the first row"),
            "{twice}"
        );
        let wet = error(text.replace("5,90\n", "5,101\n"));
        assert_eq!(
            wet,
            "w.csv, line 4: humidity is \"101\"; it must be a number from 0 to 100 percent, and a fraction of 1 times 100"
        );
        let half = error(head.replace(",humidity", "").replace(",30,20\n", ",30\n"));
        assert_eq!(half, "w.csv has no column \"humidity\", which belongs to \"temperature_c\": add it");
    }
}
