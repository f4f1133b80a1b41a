//! Runs the real binary in an empty folder, as a person would.

use std::path::PathBuf;
use std::process::{Command, Output};

/// An empty folder of its own.
pub struct Sandbox {
    folder: PathBuf,
}

impl Sandbox {
    /// A folder called `name` below the test's own temporary folder, emptied.
    pub fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        Self { folder }
    }

    /// Writes a file into it.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a file can be written");
    }

    /// Where a file in it is.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes any bytes into a file in it.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn write_bytes(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.folder.join(name), bytes).expect("a file can be written");
    }

    /// Reads a file in it.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.folder.join(name)).expect("a file can be read")
    }

    /// The text of a file in it.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn read_text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("a text")
    }

    /// Runs the command in it.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn muster(&self, arguments: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_muster"), arguments)
    }

    /// Runs a given build of the command in it.
    pub fn run(&self, binary: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(binary);
        command.args(arguments).current_dir(&self.folder).env("NO_COLOR", "1").env_remove("COLUMNS");
        command.output().expect("the command can be run")
    }
}

/// Exit code and both streams, without what changes from commit to commit.
#[allow(dead_code, reason = "not every test file needs every helper")]
pub fn transcript(output: &Output) -> String {
    let code = output.status.code().map_or_else(|| "killed".to_owned(), |code| code.to_string());
    let text = |bytes: &[u8]| without_commit(&String::from_utf8_lossy(bytes));
    format!("exit code {code}\n--- out\n{}--- err\n{}", text(&output.stdout), text(&output.stderr))
}

/// The commit is the only word that differs between two builds of the same code.
pub fn without_commit(text: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut lines = Vec::new();
    for line in text.lines() {
        let line = match (line.find(&format!("muster {version} (")), line.find("\"commit\": \"")) {
            (Some(start), _) => {
                let open = start + "muster ".len() + version.len() + 2;
                let close = line[open..].find(')').map_or(line.len(), |end| open + end);
                format!("{}COMMIT{}", &line[..open], &line[close..])
            }
            (None, Some(start)) => format!("{}\"commit\": \"COMMIT\",", &line[..start]),
            (None, None) => line.to_owned(),
        };
        lines.push(line);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
