//! Takes plotly.js out of the crate that carries it, so that only the script is compiled in.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Two script elements: plotly.js, then MathJax, which no formula of ours needs.
    let elements = plotly::Plot::offline_js_sources();
    let (_, rest) = elements.split_once('>').expect("the crate plotly hands out a script element");
    let (script, _) = rest.split_once("</script>").expect("the script element of the crate plotly ends");
    let folder = env::var_os("OUT_DIR").expect("cargo names a folder to write to");
    fs::write(Path::new(&folder).join("plotly.js"), script).expect("the folder of the build can be written to");
}
