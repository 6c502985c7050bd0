//! Every error names its place, the fault, and the allowed values.

use proptest::prelude::*;

use super::super::{Fault, RuleError, RuleFile};
use super::{HEAD, small};

/// The error of a text, as a person sees it.
fn shown(text: &str) -> String {
    RuleFile::parse(text, "f.ma", |_| None).map(|_| ()).expect_err(text).to_string()
}

#[test]
fn an_error_shows_line_column_and_caret() {
    let text = small(HEAD, "% a comment\nrule : {1 + sinh((0,0))} 100 { t }");
    let expected = "f.ma:13:13: 'sinh' is not supported: write it with exp, ln, sqrt, hip, sin, cos and atan\n  \
                    rule : {1 + sinh((0,0))} 100 { t }\n              ^";
    assert_eq!(shown(&text), expected);
}

#[test]
fn what_is_wrong_in_a_rule_is_named_with_its_place() {
    let cases = [
        ("rule : {1} 100", "12:12: there is the end where the condition in braces should be"),
        ("rule : {1} 100 { t } 5", "12:22: there is '5' where the end of the rule"),
        ("rule : {1 +} 100 { t }", "12:12: there is '}' where a number, a cell"),
        ("rule : {(5,5)} 100 { t }", "12:9: the cell (5,5) is not among the neighbors: name it in a line"),
        ("rule : {(0,0,0)} 100 { t }", "12:9: the cell (0,0,0) is not among the neighbors"),
        ("rule : {(0,0)~port} 100 { t }", "12:15: the port 'port' is unknown; there are none: declare it in the cell"),
        ("rule : { ~v := 1; } 100 { t }", "12:11: the port 'v' is unknown; there are none"),
        ("rule : { $v } 100 { t }", "12:11: the state variable 'v' is unknown; there are none"),
        ("rule : {} 100 { t }", "12:9: there is '}' where a number, a cell"),
        ("rule : {1} 100 { ~v = 1 }", "12:18: there is '~' where a cell before its port, as in (0,1)~NAME"),
        ("rule : {1} 100 { (0,0) := 1 }", "12:24: there is ':=' where '=' of a comparison"),
        ("rule : {1} 100 { nothing > 1 }", "12:18: the name 'nothing' is unknown; the functions are abs, acos"),
        ("rule : {gamma(1,2)} 100 { t }", "12:9: 'gamma' is not supported: use random"),
        (
            "rule : {portvalue(in)} 100 { t }",
            "12:9: 'portvalue' here is not supported: only rules that a portInTransition",
        ),
        ("rule : {send(x, 1)} 100 { t }", "12:14: the output port 'x' is unknown; a link from a cell names it"),
        ("rule : {ctok(1, 2)} 100 { t }", "12:9: 'ctok' takes 1 arguments and has 2"),
        ("rule : {300000000000} 100 { t }", "12:9: '300000000000': it is out of the range: numbers lie between -2^31"),
        ("rule : {1.2.3} 100 { t }", "12:9: '1.2.3': it is no number"),
        ("rule : {1} 4294967296 { t }", "12:12: the delay is '4294967296'; a delay is below 4294967296 ms"),
        ("rule : {max(1)} 100 { t }", "12:9: 'max' takes 2 arguments and has 1"),
        ("rule : {cellpos(2)} 100 { t }", "12:9: the argument of 'cellpos' is '2'; cellpos(0) is the row"),
        ("rule : {1 & 2} 100 { t }", "12:11: there is '&' where"),
        ("rules : {1} 100 { t }", "12:1: the key 'rules' is unknown; a section of rules has 'rule' and 'else'"),
        ("rule : 1 1 {t}\nelse : r", "13:8: the section 'r' is part of itself"),
        ("rule : 1 1 {t}\nelse : no", "13:8: the section 'no' is unknown"),
        ("rule : 1 1 {t}\nelse : s\nelse : r", "13:8: the section 's' is unknown"),
        ("rule : 1 1 {#Macro(no)}", "12:20: the macro 'no' is unknown; '#BeginMacro(NAME)' defines one"),
        ("rule : 1 1 {#Nothing}", "12:13: the directive '#nothing' is unknown"),
        ("#include(no.inc)", "12:10: the file 'no.inc' cannot be read"),
        ("rule : 1 1 {t}\n[R]\nrule : 1 1 {u}", "14:13: the name 'u' is unknown"),
        ("", "11:1: the section 'r' has no 'rule'"),
    ];
    for (rules, expected) in cases {
        let error = shown(&small(HEAD, rules));
        assert!(error.starts_with(&format!("f.ma:{expected}")), "{rules}\n{error}");
    }
}

#[test]
fn what_is_wrong_in_a_space_is_named_with_its_place() {
    let head = |line: &str| small(&format!("{HEAD}\n{line}"), "rule : 1 1 {t}");
    let cases = [
        ("link : a", "11:8: there is the end where the port that a link leads to"),
        ("link : in in@a(0,3)", "11:11: the cell is 'a(0,3)'; the space has 1 x 3 cells"),
        ("link : in in@a", "11:11: there is 'a' where a port of a cell with as many coordinates"),
        ("portintransition : in@a(0,0)", "11:20: there is the end where the rules of the port"),
        ("colour : red", "11:1: the key 'colour' is unknown; a cell space has type, dim"),
        ("width : 4", "11:1: the size is given twice"),
        ("neighbors : a(1,0) b", "11:20: there is the end where '(' should be"),
        ("neighbors : a(0,0,1)", "11:14: there is a cell with 3 coordinates where one with 2"),
        (
            "neighbors : a(0,0,1,2,3)",
            "11:22: a space of five dimensions is not supported: a space has rows, columns, planes",
        ),
        (
            "zone : z { (0,0)..(0,3) }",
            "11:12: a zone is '(0,0)..(0,3)'; it goes from a cell to another within 1 x 3 cells",
        ),
        ("zone : z { (0,0)..(0,2) }", "11:8: the section 'z' is unknown"),
        ("initialrowvalue : 0 01", "11:21: the number of values in the row is '2'; a row has 3 cells"),
        ("initialrowvalue : 1 010", "11:19: the row is '1'; rows are numbered from 0 to 0"),
        ("initialrow : 0 1 x 2", "11:18: 'x': it is no number"),
        ("initialcellsvalue : no.val", "11:21: the file 'no.val' cannot be read"),
        ("defaultdelaytime : soon", "11:20: the defaultDelayTime is 'soon'; milliseconds from 0"),
        ("defaultdelaytime : -1", "11:20: the defaultDelayTime is '-1'; milliseconds from 0"),
    ];
    for (line, expected) in cases {
        let error = shown(&head(line));
        assert!(error.starts_with(&format!("f.ma:{expected}")), "{line}\n{error}");
    }
    let whole = [
        ("", "f.ma:1:1: the file has no '[top]'"),
        ("x", "f.ma:1:1: there is 'x' where the section '[top]' should be"),
        ("[top", "f.ma:1:1: there is '[top' where '[NAME]' should be"),
        (
            "[top]\ncomponents : a b@Buffer\nlink : out@b in@a",
            "f.ma:2:16: the component 'b' of the type 'buffer' is not supported: its behaviour",
        ),
        (
            "[top]\ncomponents : a b",
            "f.ma:2:14: the component 'a' is unknown; a section '[a]' describes the cell space",
        ),
        ("[top]\ncomponents : b@generator", "f.ma:2:14: the component 'b' is unknown; a section '[b]' describes"),
        ("[top]\ncomponents : a\nlink : x y@a", "f.ma:3:8: the port 'x' is unknown; 'in : x' declares it"),
        ("[top]\ncomponents : a\nlink : x@g y@a", "f.ma:3:8: the component of 'x@g' is unknown; 'components'"),
        ("[top]\ncomponents : a\nin : x\nlink : x y@g", "f.ma:4:10: the component of 'y@g' is unknown"),
        ("[top]\ncomponents : a\ncolour : 3", "f.ma:3:1: the key 'colour' is unknown; the section 'top' has"),
        (
            "[top]\ncomponents : a g@generator\n[g]\ndistribution : beta",
            "f.ma:4:16: the distribution is 'beta'; 'constant', 'exponential', 'poisson' and 'normal'",
        ),
        (
            "[top]\ncomponents : a g@generator\n[g]\ndistribution : constant\nvalue : -1",
            "f.ma:5:9: the value is '-1'; seconds from 0 to 1000000",
        ),
        (
            "[top]\ncomponents : a q@Queue",
            "f.ma:2:16: the component 'q' is unknown; a section '[q]' says the preparation",
        ),
        ("[top]\ncomponents : a q@Queue\n[q]\nin : x", "f.ma:3:1: the section 'q' has no 'preparation'"),
        (
            "[top]\ncomponents : a q@Queue\n[q]\npreparation : soon",
            "f.ma:4:15: the time is 'soon'; hours up to 999, minutes, seconds and milliseconds are allowed",
        ),
        (
            "[top]\ncomponents : a q@Queue\nin : x\nlink : x stop@q\n[q]\npreparation : 0:0:0:1",
            "f.ma:4:10: the port 'stop@q' is unknown; what comes to a queue comes by 'in' or 'done'",
        ),
        (
            "[top]\ncomponents : a q@Queue\nlink : in@q in@a\n[q]\npreparation : 0:0:0:1",
            "f.ma:3:8: the port 'in@q' is unknown; what a generator or a queue sends by is 'out'",
        ),
        (
            "[top]\ncomponents : a p@Queue q@queue\nlink : out@p in@q\nlink : out@q done@p\n[p]\npreparation : 0:0:0:1\n\
             [q]\npreparation : 0:0:0:1",
            "f.ma:4:14: a link that leads back to 'q' is not supported: what comes into a space must be known",
        ),
        ("[top]\ncomponents : a", "f.ma:2:14: the component 'a' is unknown"),
        ("[top]\ncomponents : a\n[a]\ntype : cell\nwidth : 3", "f.ma:3:1: the section 'a' has no 'dim'"),
        ("#BeginMacro(x)\n1", "f.ma:1:13: there is no end of the macro where '#EndMacro' should be"),
        ("#EndMacro", "f.ma:1:1: there is '#EndMacro' where '#BeginMacro(NAME)' before it should be"),
    ];
    for (text, expected) in whole {
        assert!(shown(text).starts_with(expected), "{text}\n{}", shown(text));
    }
}

#[test]
fn errors_of_other_files_name_those() {
    let fail = |name: &str, inner: &'static str, line: &str| {
        let text = small(&format!("{HEAD}\n{line}"), "#include(part.inc)\nrule : 1 1 {t}");
        let files = |asked: &str| match asked {
            "part.inc" if name != "part.inc" => Some(String::new()),
            asked => (asked == name).then(|| inner.to_owned()),
        };
        RuleFile::parse(&text, "f.ma", files).expect_err(inner).to_string()
    };
    let included = fail("part.inc", "% rules\n#BeginMacro(a)\n1 #Nothing", "");
    assert!(included.starts_with("part.inc:3:3: the directive '#nothing' is unknown"), "{included}");
    let open = fail("part.inc", "#BeginMacro(a)\n1", "");
    assert!(open.starts_with("part.inc:1:13: there is no end of the macro"), "{open}");
    let cycle = fail("part.inc", "#include(part.inc)", "");
    assert!(cycle.starts_with("part.inc:1:10: the file 'part.inc' is part of itself"), "{cycle}");
    let value = fail("a.val", "(0,0)=1\n(0) = 2\n", "initialcellsvalue : a.val");
    assert!(value.starts_with("a.val:2:1: there is '(0)' where a cell with as many coordinates"), "{value}");
    let value = fail("a.val", "(0,0)= x\n", "initialcellsvalue : a.val");
    assert!(value.starts_with("a.val:1:8: 'x': it is no number"), "{value}");
    let map = fail("a.map", "1 2", "initialmapvalue : a.map");
    assert!(map.starts_with("f.ma:11:19: the number of values in the map is '2'; the space has 3 cells"), "{map}");
}

#[test]
fn faults_have_types() {
    let error = RuleFile::parse(&small(HEAD, "rule : {foo} 1 {t}"), "f.ma", |_| None).expect_err("an error");
    let RuleError::Text { at, fault } = error else { panic!("{error}") };
    assert_eq!((at.line, at.column), (12, 9));
    assert!(matches!(*fault, Fault::Unknown { ref name, .. } if name == "foo"));
    assert!(matches!(RuleFile::read("no/such.ma"), Err(RuleError::Read { .. })));
}

/// Files that are nearly right.
const SAMPLES: [&str; 4] = [
    include_str!("../../../examples/cells/life.ma"),
    include_str!("../../../examples/cells/heat.ma"),
    include_str!("../../../examples/cells/forest.ma"),
    include_str!("../../../examples/cells/alarm.ma"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_makes_the_parser_panic(
        sample in 0..SAMPLES.len(),
        edits in prop::collection::vec((0_usize..4096, 0_usize..3, "[ -~\t\nλ?#{}()]{0,6}"), 1..6),
    ) {
        let mut text: Vec<char> = SAMPLES[sample].chars().collect();
        for (at, length, new) in edits {
            let start = at % text.len().max(1);
            let end = (start + length * length * 4).min(text.len());
            text.splice(start.min(end)..end, new.chars());
        }
        let text: String = text.into_iter().collect();
        let files = |name: &str| match name {
            "heat.inc" => Some(text.clone()),
            "alarm.var" => Some("(2,3) = 2 0 0\n".into()),
            _ => None,
        };
        if let Err(error) = RuleFile::parse(&text, "f.ma", files) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn no_rule_makes_the_parser_panic(rule in "[-0-9(){},.+*/=<>!?~$:;# a-z]{0,60}") {
        let _ = RuleFile::parse(&small(HEAD, &format!("rule : {rule}")), "f.ma", |_| None);
        let head = format!("{HEAD}\nneighborports : a b\nstatevariables : c d");
        let _ = RuleFile::parse(&small(&head, &format!("rule : {{ ~a := {rule}")), "f.ma", |_| None);
    }
}

#[test]
fn deep_nesting_is_refused_and_not_a_crash() {
    for deep in [
        format!("rule : {{{}1{}}} 1 {{t}}", "(".repeat(50_000), ")".repeat(50_000)),
        format!("rule : {{{}1}} 1 {{t}}", "-".repeat(50_000)),
        format!("rule : {{1}} 1 {{{} t}}", "not ".repeat(10_000)),
        format!("rule : {{1{}}} 1 {{t}}", " + 1".repeat(10_000)),
        format!("rule : {{{}1{}}} 1 {{t}}", "abs(".repeat(2000), ")".repeat(2000)),
    ] {
        let result = RuleFile::parse(&small(HEAD, &deep), "f.ma", |_| None);
        if !deep.contains("--") {
            assert!(result.expect_err("too deep").to_string().contains("pass the limit"), "{}", &deep[..40]);
        }
    }
    let doubling: String =
        (0..31).map(|n| format!("#BeginMacro(m{n})\n#Macro(m{0}) #Macro(m{0})\n#EndMacro\n", n + 1)).collect();
    let error =
        shown(&format!("{doubling}#BeginMacro(m31)\n1\n#EndMacro\n{}", small(HEAD, "rule : {#Macro(m0)} 1 {t}")));
    assert!(error.contains("characters after macros pass the limit"), "{error}");
}
