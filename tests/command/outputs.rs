//! Files that a run writes must not be one another's, the network's or standard output's.

use super::cells::Files;
use super::network::CLINIC;
use super::*;

fn refused(arguments: &[&str], parts: &[&str]) {
    let refused = output(arguments);
    let said = text(&refused.stderr);
    assert_eq!((refused.status.code(), said.lines().count(), refused.stdout.len()), (Some(2), 1, 0), "{said}");
    parts.iter().for_each(|part| assert!(said.contains(part), "'{part}' is not in: {said}"));
}

#[test]
fn the_network_file_is_never_overwritten() {
    // Its ending says nothing: one of another format is refused before.
    let network = path("own.network");
    std::fs::copy(CLINIC, &network).unwrap();
    let before = std::fs::read_to_string(&network).unwrap();
    let name = network.to_str().unwrap();
    let folder = network.parent().unwrap();
    let roundabout = folder.join("..").join(folder.file_name().unwrap()).join(network.file_name().unwrap());
    for option in ["--stations", "--histograms"] {
        for path in [name, roundabout.to_str().unwrap()] {
            refused(&["network", name, option, path], &[option, path, "which is a file that the run reads"]);
        }
    }
    assert_eq!(std::fs::read_to_string(&network).unwrap(), before);
    #[cfg(unix)]
    {
        let link = path("link.csv");
        std::os::unix::fs::symlink(&network, &link).unwrap();
        refused(
            &["network", name, "--stations", link.to_str().unwrap()],
            &["link.csv", "which is a file that the run reads"],
        );
        std::fs::remove_file(&link).unwrap();
        assert_eq!(std::fs::read_to_string(&network).unwrap(), before);
    }
    std::fs::remove_file(&network).unwrap();
}

/// Neither are the files that cells are read from.
#[test]
fn the_files_of_cells_are_never_overwritten() {
    let files = Files::new("own-cells");
    std::fs::copy("examples/cells/heat.ma", files.path("heat.ma")).unwrap();
    std::fs::copy("examples/cells/heat.inc", files.path("heat.inc")).unwrap();
    let [terrain, rules, included, weather] =
        ["elevation.asc", "heat.ma", "heat.inc", "weather.csv"].map(|name| files.path(name));
    let before = [&terrain, &included, &weather].map(|file| std::fs::read_to_string(file).unwrap());
    let cases: [(&[&str], &str, &str); 3] = [
        (&["watershed", "--terrain", &terrain], "--depth", &terrain),
        (&[&rules], "--values", &included),
        (&["fire", "--side", "9", "--weather", &weather], "--growth", &weather),
    ];
    for (arguments, option, file) in cases {
        let arguments = [&["cells"], arguments, &["--backend", "heap", option, file]].concat();
        refused(&arguments, &[option, file, "which is a file that the run reads"]);
    }
    assert_eq!([&terrain, &included, &weather].map(|file| std::fs::read_to_string(file).unwrap()), before);
}

#[test]
fn two_options_never_have_one_file() {
    let (file, old) = (path("both.csv"), path("old.csv"));
    std::fs::write(&old, "kept").unwrap();
    for path in [&file, &old].map(|file| file.to_str().unwrap()) {
        let arguments = ["network", CLINIC, "--stations", path, "--histograms", path];
        refused(&arguments, &["--histograms names", path, "the file of --stations"]);
    }
    assert!(!file.exists(), "a file that was not there stays away");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "kept");
    std::fs::remove_file(&old).unwrap();
    #[cfg(unix)]
    refused(&["network", CLINIC, "--stations", "/dev/stdout", "--histograms", "/dev/stdout"], &["/dev/stdout"]);
}

/// Lines and the result would overwrite each other where standard output goes to a file.
#[cfg(unix)]
#[test]
fn the_file_of_standard_output_is_nobody_elses() {
    let file = path("result.txt");
    let name = file.to_str().unwrap();
    for (arguments, option) in [
        (&["network", CLINIC, "--stations", name][..], "--stations"),
        (&["network", CLINIC, "--histograms", "/dev/stdout"], "--histograms"),
        (&["torus", "--side", "4", "--backend", "heap", "--stations", name], "--stations"),
    ] {
        let stdout = std::fs::File::create(&file).unwrap();
        let refused = command(arguments).stdout(stdout).output().unwrap();
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(option) && said.contains("that standard output goes to"), "{said}");
    }
    std::fs::remove_file(&file).unwrap();
    assert!(output(&["torus", "--side", "4", "--backend", "heap", "--facilities", "/dev/null"]).status.success());
}
