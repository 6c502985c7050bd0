//! The syntax that CD++ accepts, as in published files.

use super::super::{Fixed, RuleFile};
use super::{HEAD, fixed, parse, small};

/// The value of the middle cell at the start, and its value by its one rule.
fn constant(file: &RuleFile) -> String {
    let rule = &file.sections[file.local].rules[0];
    format!("{:?}", rule.values[0].1)
}

#[test]
fn of_an_included_file_macros_are_taken_and_prose_is_not() {
    let prose = "Speed : of travel\n[none]\nStateCount(1)=2\n#EndMacro\n# and so on\n#BeginMacro(a)) not read\n7\n#EndMacro\n\
                 #Nothing\n#BeginMacro(a)\n8\n#EndMacro\n#BeginMacro(b)\n9\n#EndMacro";
    let text = small(HEAD, "#include(MACROS.inc)\nrule : {#Macro(a) + #macro(B)} 1 {t}");
    let file = RuleFile::parse(&text, "f.ma", |name| (name == "MACROS.inc").then(|| prose.to_owned()));
    let file = file.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(constant(&file), format!("Constant({:?})", fixed("16")));
}

#[test]
fn lines_of_hashes_are_notes() {
    let rules = "# NOTAS\n#\n  ###### Cars-Generator ####\nrule : 1 1 {t} % and a comment\n#########";
    assert_eq!(parse(&small(HEAD, rules)).sections[0].rules.len(), 1);
    // An unknown directive is still an error.
    let error = RuleFile::parse(&small(HEAD, "#Macroo(a)\nrule : 1 1 {t}"), "f.ma", |_| None).expect_err("unknown");
    assert!(error.to_string().starts_with("f.ma:12:1: the directive '#macroo' is unknown"), "{error}");
}

#[test]
fn a_section_goes_on_where_its_name_comes_again() {
    let text =
        small(HEAD, "rule : 1 1 {(0,0) = 5}\n[b]\nrule : 2 2 {t}\n[R]\nrule : 3 3 {t}\n[unused]\nrule : 4 4 {t}");
    let file = parse(&text);
    assert_eq!((file.sections.len(), file.sections[0].rules.len()), (1, 2));
    // The space and its rules, and the model and rules, may have one name.
    let one = text.replace("localtransition : r", "localtransition : a").replace("[r]", "[a]").replace("[R]", "[A]");
    assert_eq!(parse(&one).sections[0].rules.len(), 2);
    let top =
        text.replace("localtransition : r", "localtransition : top").replace("[r]", "[top]").replace("[R]", "[Top]");
    assert_eq!(parse(&top).sections[0].rules.len(), 2);
}

#[test]
fn of_what_is_given_twice_the_first_counts() {
    let text = small(
        &format!("{HEAD}\nborder : wrapped\ninitialvalue : 3"),
        "rule : 1 1 {t}\nelse : b\nelse : c\n[b]\nrule : 2 1 {t}",
    );
    let file = parse(&text);
    assert_eq!(file.space().border(), tickless_cells::Border::Open);
    assert_eq!((file.initial(1), file.sections[0].rules.len()), (Fixed::ZERO, 2));
}

#[test]
fn a_neighbor_is_its_cell_alone() {
    let other = HEAD.replace("a(0,-1) a(0,0) a(0,1)", "2life(0,-1) (0,0) other-name(0,1), a(0,0)");
    let file = parse(&small(&other, "rule : 1 1 {t}"));
    assert_eq!((file.space().offsets().len(), file.hears_itself), (2, true));
}

#[test]
fn zones_are_boxes_whichever_corner_comes_first() {
    let file =
        parse(&small(&format!("{HEAD}\nzone : 2z-1 {{ (0,2)..(0,1) }}"), "rule : 1 1 {t}\n[2z-1]\nrule : 2 1 {t}"));
    assert_eq!([0, 1, 2].map(|cell| file.section(cell)), [1, 0, 0]);
}

#[test]
fn values_at_the_start_are_read_as_far_as_they_are_numbers() {
    let files = |name: &str| match name {
        "a.val" => Some("notes\n(0,0) = 1 22 0\n/% (0,9)\n(0,9) = 5\n(0,1)=1.5e1\n".to_owned()),
        "a.map" => Some("1\n2\n3\n4\n5".to_owned()),
        _ => None,
    };
    let read = |lines: &str| {
        let text = small(&format!("{HEAD}\n{lines}"), "rule : 1 1 {t}");
        let file = RuleFile::parse(&text, "f.ma", files).unwrap_or_else(|e| panic!("{e}"));
        [0, 1, 2].map(|cell| file.initial(cell).to_string()).join(" ")
    };
    assert_eq!(read("initialcellsvalue : a.val"), "1 15 0");
    assert_eq!(read("initialmapvalue : a.map"), "1 2 3");
    assert_eq!(read("initialrowvalue : 0 1-x"), "1 ? ?");
    // A map comes after rows and cells, wherever it stands.
    assert_eq!(read("initialmapvalue : a.map\ninitialrowvalue : 0 999"), "1 2 3");
}

#[test]
fn the_last_line_of_values_needs_its_line_break() {
    let file = |text: &'static str| {
        let head = format!("{HEAD}\ninitialcellsvalue : a.val");
        RuleFile::parse(&small(&head, "rule : 1 1 {t}"), "f.ma", |_| Some(text.into()))
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let cut = file("(0,0)=4\n(0,1)=5");
    assert_eq!([0, 1].map(|cell| cut.initial(cell)), [fixed("4"), Fixed::ZERO]);
    assert_eq!(cut.remarks().len(), 1);
    assert!(cut.remarks()[0].starts_with("a.val:2: the line '(0,1)=5' has no line break"), "{:?}", cut.remarks());
    let whole = file("(0,0)=4\n(0,1)=5\n");
    assert_eq!((whole.initial(1), whole.remarks().len()), (fixed("5"), 0));
    assert_eq!(file("(0,0)=4\n% end").remarks().len(), 0);
}

#[test]
fn a_file_in_latin_is_read_and_files_are_found_in_other_letters() {
    let folder = std::env::temp_dir().join(format!("tickless-latin-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("Data")).expect("a folder");
    let text = small(&format!("{HEAD}\ninitialcellsvalue : data\\Start.VAL"), "rule : 1 1 {t} % m\u{e1}s");
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    std::fs::write(folder.join("f.ma"), latin).expect("a file");
    std::fs::write(folder.join("Data").join("start.val"), "(0,1) = 4\n").expect("a file");
    let file = RuleFile::read(folder.join("f.ma")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(file.initial(1).to_string(), "4");
    std::fs::remove_dir_all(folder).expect("it is there");
}

/// Keys with a `$` before them, in a section of rules, are not read.
#[test]
fn what_a_section_of_rules_has_besides_rules_is_not_read() {
    let rules =
        "$cell : 1\nrule : 3 1 {t}\n$CELL-2 : (0,0) something\n  behind it\n$cell:\nrule : {4} 1 {t}\n$cell : { ( }";
    assert_eq!(parse(&small(HEAD, rules)).sections[0].rules.len(), 2);
    let wrong = RuleFile::parse(&small(&format!("{HEAD}\n$cell : 1"), "rule : 3 1 {t}"), "f.ma", |_| None);
    assert!(wrong.expect_err("of a space").to_string().contains("the key '$cell' is unknown"));
}

#[test]
fn a_section_that_nothing_names_may_have_any_text() {
    for text in
        ["rule {30} 100 {t}", "a text (of) any kind, {", "= 3\nmore", "(0,0) = 7\nrule : {9} 1 {t}", "???", "50%"]
    {
        let text = small(HEAD, &format!("rule : {{5}} 1 {{t}}\n[nobody]\n{text}"));
        assert_eq!(constant(&parse(&text)), format!("Constant({:?})", fixed("5")));
    }
    // Where a space, a section of rules or a generator is named, its section has statements.
    for (from, to) in [("[a]\n", "[a]\nfree\n"), ("[r]\n", "[r]\nrule {30} 100 {t}\n"), ("[top]\n", "[top]\nfree\n")] {
        let text = small(HEAD, "rule : {5} 1 {t}").replace(from, to);
        let error = RuleFile::parse(&text, "f.ma", |_| None).expect_err(to).to_string();
        assert!(error.contains("where 'KEY : VALUE' should be"), "{error}");
    }
}

#[test]
fn a_flat_space_is_a_space() {
    for kind in ["flat", "Flat", "FLAT", "Cell", " flat "] {
        let file = parse(&small(HEAD, "rule : {5} 1 {t}").replace("type : cell", &format!("type : {kind}")));
        assert_eq!(file.space().cells(), 3, "{kind}");
    }
}

#[test]
fn a_scenario_of_cadmium_names_its_page() {
    let scenario = "{\"scenario\":{\"shape\":[5,5],\"wrapped\":false},\"cells\":{\"default\":{\"model\":\"sir\"}}}";
    for text in [
        scenario.to_owned(),
        format!("\n  {scenario}"),
        "{}".into(),
        scenario.replace(',', ",\n"),
        "{ \"cells\" : {} }".into(),
    ] {
        let error = RuleFile::parse(&text, "c.json", |_| None).expect_err("JSON").to_string();
        assert!(error.contains("Cadmium") && error.contains("docs/from/cadmium.md"), "{error}");
    }
}
