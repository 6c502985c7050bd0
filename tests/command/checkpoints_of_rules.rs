//! Rule files whose cells come to need larger numbers, or more room, before a checkpoint or behind it.

use super::checkpoints::{either, folder, head, killed_and_ended, killed_run, results};
use super::*;

/// Numbers that have outgrown a word before a checkpoint are in it, and in the run that goes on from it.
#[test]
fn cells_with_large_numbers_go_on() {
    let (folder, file) = folder("checkpoints-wide");
    let rules = folder.join("grows.ma");
    let text = "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (20,20)\ndelay : transport\nborder : wrapped\n\
                neighbors : a(0,0) a(0,1)\ninitialvalue : 32766\nlocaltransition : r\n\
                [r]\nrule : {(0,0) + 1} 1 {t}\n";
    std::fs::write(&rules, text).unwrap();
    let run = ["cells", rules.to_str().unwrap(), "--until", either("6000", "1200"), "--backend", "heap"];
    let (_, whole) = json(&run, &[]);
    assert_eq!(whole["arguments"]["wide"], true);
    assert_eq!(results(&killed_and_ended(&run, &file, &[])), results(&whole));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Cells that need more room, and larger numbers, behind a checkpoint have them from there on.
#[test]
fn cells_grow_behind_a_checkpoint() {
    let (folder, file) = folder("checkpoints-grow");
    let (rules, calm) = (folder.join("grows.ma"), either("8000", "500"));
    let start = 32_768 - 10 - calm.parse::<i32>().unwrap();
    let text = format!(
        "[top]\ncomponents : a\n[a]\ntype : cell\ndim : (20,20)\ndelay : transport\nborder : wrapped\n\
         neighbors : a(0,0) a(0,1)\ninitialvalue : {start}\nlocaltransition : r\n\
         [r]\nrule : {{(0,0) + 1}} {{if(time < {calm}, 1, randInt(9) + 1)}} {{t}}\n"
    );
    std::fs::write(&rules, text).unwrap();
    let until = (calm.parse::<u32>().unwrap() + 200).to_string();
    let run = ["cells", rules.to_str().unwrap(), "--until", &until, "--backend", "heap"];
    let (_, whole) = json(&run, &[]);
    let arguments =
        |value: &Value| (value["arguments"]["wide"] == true, value["arguments"]["max_waiting"].as_u64().unwrap());
    assert!(arguments(&whole).0 && arguments(&whole).1 > 4, "{whole}");
    killed_run(&run, &file);
    let left = head(&file).unwrap();
    assert_eq!(arguments(&left), (false, 4));
    let (code, end) = json(&["resume", &file], &[]);
    assert_eq!((code, results(&end)), (0, results(&whole)));
    std::fs::remove_dir_all(folder).unwrap();
}
