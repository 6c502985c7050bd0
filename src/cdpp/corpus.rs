//! Rule files that use every operator, for tests that compare backends.

/// Values at the start of a row of seven cells.
const STARTS: [&str; 3] = ["1 0 ? 1 0.5 -3.25 100", "0 0 1 1 0 1 ?", "-1 2.5 7 -0.02 300 ? 3"];

/// Expressions of the cell (0,0) and its neighbours (0,-1) and (0,1).
const EXPRESSIONS: [&str; 72] = [
    "(0,-1) + (0,1)",
    "(0,-1) - (0,1) - (0,0)",
    "(0,-1) * (0,1)",
    "(0,-1) / (0,1)",
    "-(0,1)",
    "(0,0) = (0,1)",
    "(0,0) != (0,1)",
    "(0,0) < (0,1)",
    "(0,0) <= (0,1)",
    "(0,0) > (0,1)",
    "(0,0) >= (0,1)",
    "(0,0) > 0 and (0,1) > 0",
    "(0,0) > 0 or (0,1) > 0",
    "(0,0) > 0 xor (0,1) > 0",
    "(0,0) > 0 imp (0,1) > 0",
    "(0,0) > 0 eqv (0,1) > 0",
    "not (0,1) > 0",
    "if((0,1) > 0, (0,1), (0,-1) + 1)",
    "ifu((0,1) > 0, 1, 2, 3)",
    "min((0,0), (0,1))",
    "max((0,0), (0,1))",
    "abs((0,1))",
    "sign((0,1))",
    "trunc((0,1) * 1.3)",
    "round((0,1) * 1.3)",
    "fractional((0,1) * 1.3)",
    "remainder((0,0), (0,1))",
    "odd((0,1))",
    "even((0,1))",
    "isint((0,1))",
    "isundefined((0,1))",
    "truecount",
    "falsecount",
    "undefcount",
    "statecount((0,1))",
    "cellpos(0) + cellpos(1)",
    "time",
    "random",
    "random < 0.3",
    "(0.000001 >= random) + (random > 0.7)",
    "randInt(abs((0,1)))",
    "randomSign",
    "uniform((0,0), (0,1))",
    "remainder(pi * (0,1) + e, 2.5)",
    "trunc((0,1) * -1.3)",
    "round((0,1) * 0.5)",
    "truncUpper((0,1) * 1.3)",
    "sqrt((0,1))",
    "sqrt(abs((0,1)) + (0,-1))",
    "hip((0,-1), (0,1))",
    "power((0,1), 2) + power(1.0001, (0,-1))",
    "power(min(abs((0,1)), 20) + 0.5, sign((0,-1)) * 3)",
    "exp(min((0,1), 9.5))",
    "exp(min(0 - (0,1), 9))",
    "ln((0,1))",
    "ln(abs((0,1)) / 7)",
    "log((0,1) + 0.25)",
    "logn(abs((0,1)) + 2, abs((0,-1)) + 3)",
    "sin((0,1))",
    "cos((0,1) * 3)",
    "sin((0,1) * 100) * 100",
    "tan((0,1) * 0.7)",
    "atan((0,1))",
    "atan((0,1) * 0.01) * 50",
    "asin((0,1))",
    "acos((0,1) / 101)",
    "sec((0,1)) + cosec((0,-1)) + cotan((0,1) + 0.5)",
    "ctof((0,1)) + ftok((0,-1)) + ctok((0,1)) + ktof((0,-1)) + degtorad((0,1)) + radtodeg((0,-1)) + ktoc((0,1)) + ftoc((0,1))",
    "exponential(abs((0,1)))",
    "normal((0,1), abs((0,-1)))",
    "poisson(remainder(abs((0,1)), 9))",
    "binomial(round(abs((0,1))), 0.3)",
];

/// Expressions of a file: each is the rule of a row of cells.
const ROWS: usize = 14;

/// Rules of a file with ports, state variables and the value without a port: the head lacks its delay and its border.
const PORTS: &str = "neighbors : rows(0,-1) rows(0,0) rows(0,1) rows(1,0)
initialvalue : 1
initialrow : 0 1 0 ? 1 0.5 -3.25 9
initialrow : 2 -1 2.5 7 -0.02 30 ? 3
neighborports : p q
statevariables : x y
statevariables : z
statevalues : 1 0.5 ?
localtransition : both
zone : one { (1,0)..(1,4) }
[both]
rule : {} { $z := time + $z; } 1 { time >= 25 }
rule : { ~p := remainder((0,1)~q + $x, 50); } { $x := remainder($x * 1.5 + $y, 40); $y := $x - (0,-1)~p; }
       {1 + randInt(2)} { statecount((0,0)~p, ~p) > 1 and odd(trunc($x)) }
rule : { ~q := if($x > 10, (0,-1), (0,0)~p - $y); ~p := $y + $z; } {0.5 + abs(sign($x))} { $z := $x; } { $x < 20 }
rule : {(0,0) + 1} { $x := remainder($x + 1, 30); } 3 { truecount < 3 or undefcount = 0 }
rule : { ~q := $y; } 2 { t }
[one]
rule : { ~q := (0,0)~q + 1; ~p := $x; } { $x := $x + (1,0)~q - (1,0)~q; $x := $x + 2; } 2 { time < 25 }
rule : {} 1 { t }
";

/// A file in which numbers of generators come into cells, directly and through rules: it lacks its delay and its border.
const INPUTS: &str = "[top]
components : pool rain@Generator tide@Generator calls@Generator
in : never
link : out@rain rain@pool
link : out@tide tide@pool
link : out@calls rain@pool
link : never tide@pool
link : level@pool level
out : level
[rain]
distribution : exponential
mean : 0.004
initial : 3
increment : 1
[tide]
distribution : constant
value : 0.0055
initial : 20
increment : -2
[calls]
distribution : normal
mean : 0.009
deviation : 0.004
[pool]
type : cell
dim : (3,5)
defaultDelayTime : 2
neighbors : pool(0,-1) pool(0,0) pool(0,1) pool(-1,0)
initialvalue : 1
in : rain tide
out : level
link : rain in@pool(0,0)
link : tide in@pool(2,4)
link : rain wet@pool(1,2)
link : tide salt@pool(1,2)
link : level@pool(1,1) level
portInTransition : wet@pool(1,2) pour
portInTransition : salt@pool(1,2) pour
localtransition : flow
[pour]
rule : {remainder((0,0) + portValue(thisPort) + if(isundefined(portValue(salt)), 0.5, portValue(salt)), 90)} 3 { (0,0) < 80 }
rule : {portValue(wet) / 4} {1 + abs(sign(portValue(thisPort)))} { t }
[flow]
rule : {((0,0) + (0,-1)) / 2 + send(level, 5)} {1 + remainder(truecount, 3)} { (0,0) != (0,-1) and (0,-1) != ? }
rule : {(0,0)} 2 { t }
";

/// Rules of four dimensions: the head lacks its delay and its border.
const LAYERS: &str = "neighbors : rows(0,0,0,0) rows(0,0,1,0) rows(0,1,-1,0) rows(0,0,0,-1) rows(1,0,1,1) rows(0,0,-2,1) rows(0,0,3,0)
initialvalue : 1
neighborports : p
localtransition : all
zone : mixed { (0,0,1,0)..(1,1,0,1) (1,2,0,1) }
[all]
rule : { ~p := remainder((0,0,1,0)~p + 2 * (0,0,0,-1)~p + cellpos(3) + 1, 9); } 1 { (0,0,1,0)~p != ? and (0,0,0,-1)~p != ? }
rule : { ~p := remainder((0,0,0,0)~p + 3 * statecount(?, ~p) + cellpos(2), 7); } 2 { time < 20 and (0,0,3,0)~p != 1 }
rule : {} 1 { t }
[mixed]
rule : { ~p := remainder((0,1,-1,0)~p - (1,0,1,1)~p, 5); } {1 + cellpos(3)} { (0,0,-2,1)~p != (0,0,0,0)~p }
rule : { ~p := statecount(1, ~p); } 3 { t }
";

/// Rules of tuples: the head lacks its delay and its border.
const TUPLES: &str = "neighbors : rows(0,-1) rows(0,0) rows(0,1)
initialvalue : [1,2,3]
initialrow : 1 0 1 0 ? 5
neighborports : p
localtransition : all
[all]
rule : { ~p := [(0,-1)~p!1, remainder((0,1)~p!0 + time, 7)]; } 1 { (0,0)~p!2 != ? and time < 9 }
rule : {[remainder((0,1)!1 + 3, 11), (0,0)!0]} 2 { (0,0) != (0,-1) and statecount(1) < 3 }
rule : { ~p := (0,-1); } {1 + cellpos(1)} { (0,0)~p = [0,3] or (0,0)~p = 1 }
rule : {if((0,1)!0 > 2, (0,1), 4)} 3 { time < 30 }
rule : {(0,0)} 1 {t}
";

/// Rule files that together use every operator, every function, both delays and both borders, ports, state variables and values from outside
/// with both delays, four dimensions, and tuples: each runs for 40 ms without a fault, with as much room as fits.
///
/// ```
/// # use tickless_cdpp::facade as tickless;
/// use tickless::cells::rules::{RuleFile, corpus};
/// for text in corpus() {
///     RuleFile::parse(&text, "corpus.ma", |_| None)?;
/// }
/// # Ok::<(), tickless::cells::rules::RuleError>(())
/// ```
pub fn corpus() -> Vec<String> {
    let kinds = [("transport", "nowrapped"), ("inertial", "wrapped")].into_iter().cycle();
    let plain = EXPRESSIONS.chunks(ROWS).zip(kinds).map(|(rows, kind)| file(rows, kind));
    let ports = [("transport", "nowrapped"), ("inertial", "wrapped")].map(|(delay, border)| {
        let head = "[top]\ncomponents : rows\n[rows]\ntype : cell\ndim : (3,7)\n";
        format!("{head}delay : {delay}\nborder : {border}\n{PORTS}")
    });
    let inputs = [("transport", "nowrapped"), ("inertial", "wrapped")].map(|(delay, border)| {
        INPUTS.replace("defaultDelayTime", &format!("delay : {delay}\nborder : {border}\ndefaultDelayTime"))
    });
    let layers = [("transport", "nowrapped"), ("inertial", "wrapped")].map(|(delay, border)| {
        let head = "[top]\ncomponents : rows\n[rows]\ntype : cell\ndim : (2,3,3,2)\n";
        format!("{head}delay : {delay}\nborder : {border}\n{LAYERS}")
    });
    let tuples = [("transport", "nowrapped"), ("inertial", "wrapped")].map(|(delay, border)| {
        let head = "[top]\ncomponents : rows\n[rows]\ntype : cell\ndim : (2,5)\n";
        format!("{head}delay : {delay}\nborder : {border}\n{TUPLES}")
    });
    plain.chain(ports).chain(inputs).chain(layers).chain(tuples).collect()
}

/// A file with a row of cells for each expression.
fn file(expressions: &[&str], (delay, border): (&str, &str)) -> String {
    let mut head = format!(
        "[top]\ncomponents : rows\n[rows]\ntype : cell\ndim : ({},7)\ndelay : {delay}\nborder : {border}\n\
         neighbors : rows(0,-1) rows(0,0) rows(0,1)\ninitialvalue : 0\nlocaltransition : ends\n",
        expressions.len()
    );
    let mut rules =
        "[ends]\nrule : {remainder((0,0) * 3 + 1, 17)} {1 + randInt(2)} {time < 30}\nrule : {(0,0)} 1 {t}\n".to_owned();
    for (row, expression) in expressions.iter().enumerate() {
        head +=
            &format!("initialrow : {row} {}\nzone : row{row} {{ ({row},1)..({row},5) }}\n", STARTS[row % STARTS.len()]);
        rules += &format!(
            "[row{row}]\n\
             rule : {{(0,0)}} 1 {{time >= 20}}\n\
             rule : {{remainder({expression}, 100)}} {{if((0,1) = ?, 3, 2.5)}} {{t}}\n"
        );
    }
    head + &rules
}

/// Whether a function is in an expression of the corpus.
#[cfg(test)]
pub(super) fn uses_every_function() -> bool {
    let all = EXPRESSIONS.join(" ").to_ascii_lowercase();
    let functions = super::expression::FUNCTIONS.iter().map(|(name, ..)| name);
    functions.chain(super::expression::FORMULAS.iter().map(|(name, _)| name)).all(|name| all.contains(name))
}
