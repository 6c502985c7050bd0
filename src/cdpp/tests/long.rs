//! Long texts take time by their length alone, and no stack: no word is compared with all before it, and no text is read
//! within another one.

use super::super::RuleFile;
use super::{HEAD, fixed, small};

/// The error of rules, if any.
fn said(rules: &str) -> String {
    RuleFile::parse(&small(HEAD, rules), "f.ma", |_| None).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn many_sections_are_read() {
    let chain = |last: &str| {
        let links: String = (0..8000).map(|n| format!("[s{n}]\nelse : s{}\n", n + 1)).collect();
        said(&format!("else : s0\n{links}[s8000]\n{last}"))
    };
    assert_eq!(chain("rule : 1 1 {t}"), "");
    assert!(chain("").contains("the section 's8000' has no 'rule'"));
    assert!(chain("else : s0").contains("the section 's0' is part of itself"));
}

#[test]
fn many_macros_are_read() {
    let macros: String = (0..40_000).map(|n| format!("#BeginMacro(m{n})\n#EndMacro\n")).collect();
    assert_eq!(said(&format!("rule : 1 1 {{t}}\n{macros}{}", "#Macro(m39999)\n".repeat(40_000))), "");
    // Each macro of a line was within the one before it.
    let line = "#Macro(none)".repeat(200);
    let within = |n| format!("#BeginMacro(m{n})\n{line}#Macro(m{})\n#EndMacro\n", n + 1);
    let none = "#BeginMacro(none)\n#EndMacro\n#BeginMacro(m30)\n#EndMacro\n";
    let nested: String = (0..30).map(within).collect();
    assert_eq!(said(&format!("rule : 1 1 {{t}} #Macro(m0)\n{none}{nested}")), "");
}

#[test]
fn many_values_stand_in_a_line() {
    let text = small(HEAD, "rule : 1 1 {t}")
        .replace("(1,3)", "(1,250000)")
        .replace("localtransition", "initialmapvalue : f.val\nlocaltransition");
    let file = RuleFile::parse(&text, "f.ma", |_| Some("1 ".repeat(249_999) + "7")).expect("a file");
    assert_eq!((file.initial(249_998), file.initial(249_999)), (fixed("1"), fixed("7")));
    let wrong = RuleFile::parse(&text, "f.ma", |_| Some("é ".repeat(2) + "1")).expect_err("no number").to_string();
    assert!(wrong.starts_with("f.val:1:1:"), "{wrong}");
    let wrong = RuleFile::parse(&text, "f.ma", |_| Some("1 2 x".into())).expect_err("no number").to_string();
    assert!(wrong.starts_with("f.val:1:5:"), "{wrong}");
}

#[test]
fn many_names_are_too_many() {
    let ports: String = (0..100_000).map(|n| format!("neighborports : p{n}\n")).collect();
    let text = small(HEAD, "rule : 1 1 {t}").replace("localtransition", &format!("{ports}localtransition"));
    let error = RuleFile::parse(&text, "f.ma", |_| None).expect_err("too many").to_string();
    assert!(error.contains("1000"), "{error}");
}

/// A comment is no part of the rules, and yet each text that is read stays in memory.
#[test]
fn what_is_included_again_and_again_is_too_much() {
    let comment = format!("% {}\n", "x".repeat(1 << 20).replace("xxxx", "xxx\n%"));
    let text = small(HEAD, &format!("{}rule : 1 1 {{t}}", "#include(f.inc)\n".repeat(1000)));
    let mut read = 0;
    let file = RuleFile::parse(&text, "f.ma", |_| {
        read += 1;
        Some(comment.clone())
    });
    let error = file.expect_err("too much").to_string();
    assert!(error.contains("characters of files that are included") && read < 10, "{read}: {error}");
}
