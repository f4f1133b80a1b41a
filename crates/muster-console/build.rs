//! Lists the files of the page, for `page.rs` to have them inside the binary.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=page");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the folder of the crate"));
    let page = here.join("page");
    let mut files = Vec::new();
    gather(&page, &mut files);
    let mut named: Vec<_> = files.iter().map(|file| (name(&page, file), file)).collect();
    named.sort();
    let mut list = String::from("&[\n");
    for (name, file) in named {
        writeln!(list, "    ({name:?}, include_bytes!({file:?})),").expect("a string takes what is written");
    }
    list.push_str("]\n");
    let folder = env::var_os("OUT_DIR").expect("cargo names a folder to write to");
    fs::write(Path::new(&folder).join("files.rs"), list).expect("the folder of the build can be written to");
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the page is a folder that can be read") {
        let path = entry.expect("the page can be read").path();
        if path.is_dir() { gather(&path, files) } else { files.push(path) }
    }
}

/// As a browser asks for it.
fn name(page: &Path, file: &Path) -> String {
    let below = file.strip_prefix(page).expect("a file of the page is below it");
    let parts: Vec<_> = below.iter().map(|part| part.to_str().expect("files of the page have plain names")).collect();
    parts.join("/")
}
