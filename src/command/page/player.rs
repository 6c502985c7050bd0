//! The player below the map of a network: tokens move from place to place, once a person starts it. Without its script it is hidden.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::text::short;

/// Moves the tokens.
const SCRIPT: &str = include_str!("player.js");
/// Seconds from the first time to the last, about, at the speed that is chosen first.
const LASTING: f64 = 90.0;
/// The names of the colours of classes in the style of the page.
const COLOURS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// What the player shows, from time 0 on.
#[derive(Clone, Debug, Serialize)]
pub struct Player {
    /// The sentence below it.
    #[serde(skip)]
    pub about: String,
    /// The names of the classes, if there are several.
    #[serde(skip)]
    pub classes: Vec<String>,
    /// What stands behind a time.
    pub unit: String,
    pub until: f64,
    /// In the order in which they begin.
    pub visits: Vec<Stay>,
    /// Token by token, in the order in which they begin.
    pub moves: Vec<Move>,
}

/// A token at a place: its number, its class, the number of the place in the map, when it came, when its service began and when it left.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Stay(pub u64, pub u32, pub usize, pub f64, pub Option<f64>, pub Option<f64>);

/// A token on a way: its number, its class, the number of the way in the map, when it set out, if it is known, and when it arrived. One that
/// vanishes at place p has the way -1 - p.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Move(pub u64, pub u32, pub i64, pub Option<f64>, pub f64);

/// The player with what it shows and its script.
pub fn controls(player: &Player) -> Markup {
    let Player { about, classes, unit, until, .. } = player;
    let shown = serde_json::to_string(player).unwrap_or_default().replace('<', "\\u003c");
    let usual = (3.0 * (until / LASTING).log10()).round() as i32;
    html! {
        div.player hidden {
            div.controls {
                button type="button" { "Play" }
                input type="range" min="0" max=(until) step="any" value="0" aria-label={ "time in " (unit) };
                span.time {}
                label {
                    "speed "
                    select {
                        @for pace in [-4, -2, -1, 0, 1, 2, 4].map(|step| round(usual + step)) {
                            option value=(pace) selected[pace == round(usual)] { (short(pace)) " " (unit) " a second" }
                        }
                    }
                }
            }
            p {
                (about)
                @for (class, colour) in classes.iter().zip(COLOURS.iter().cycle()) {
                    " " span.class { span.token style={ "background:var(--" (colour) ")" } {} (class) }
                }
            }
            script type="application/json" { (PreEscaped(shown)) }
            script { (PreEscaped(SCRIPT)) }
        }
    }
}

/// 1, 2, 5, 10, 20 and so on by their numbers.
fn round(number: i32) -> f64 {
    let digit = [1.0, 2.0, 5.0][number.rem_euclid(3) as usize];
    let power = 10_f64.powi(number.div_euclid(3).abs());
    if number < 0 { digit / power } else { digit * power }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word of the user ends no script, and each speed is twice the one before or two and a half times.
    #[test]
    fn words_of_users_stay_in_their_places() {
        let player = Player {
            about: "Ü & <b>".into(),
            classes: vec!["</script><i>".into(), "b".into()],
            unit: "</script>".into(),
            until: 180.0,
            visits: vec![Stay(0, 1, 2, 0.5, None, Some(1.0))],
            moves: vec![Move(0, 1, -3, Some(1.0), 1.0)],
        };
        let page = controls(&player).into_string();
        assert_eq!(page.matches("</script>").count(), 2, "{page}");
        assert!(page.contains("Ü &amp; &lt;b&gt;") && page.contains("&lt;/script&gt;&lt;i&gt;"), "{page}");
        let block = page.split("application/json\">").nth(1).unwrap().split("</script>").next().unwrap();
        let read: serde_json::Value = serde_json::from_str(block).unwrap();
        assert_eq!(read["unit"], "</script>");
        assert_eq!(read["visits"], serde_json::json!([[0, 1, 2, 0.5, null, 1.0]]));
        assert_eq!((-3..5).map(round).collect::<Vec<_>>(), [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        assert!(page.contains("value=\"2\" selected"), "{page}");
    }
}
