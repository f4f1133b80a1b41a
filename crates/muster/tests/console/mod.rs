//! A console that was started, and pages that look at it: the real binary, real sockets, no browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// Nothing here takes as long; a test that waits for longer waits for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// A console.
pub struct Console {
    child: Child,
    /// The address and port it listens at.
    pub address: SocketAddr,
    /// The address that it printed.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub url: String,
}

impl Console {
    /// Starts it in a folder with these arguments, at any free port.
    pub fn start(folder: &std::path::Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_muster"))
            .args(arguments)
            .args(["--port", "0", "--no-open"])
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command can be run");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let url = loop {
            let line = lines.next().expect("it prints its address").expect("text");
            if let Some(url) = line.split_whitespace().find(|word| word.starts_with("http://")) {
                break url.to_owned();
            }
        };
        let rest = url.trim_start_matches("http://");
        let address = rest[..rest.find('/').expect("a path")].parse().expect("an address");
        Self { child, address, url }
    }

    /// A page that has joined.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn page(&self) -> Page {
        let mut page = Page::connect(self.address);
        page.say(json!({"do": "join"}));
        page
    }

    /// The answer to a plain request: all of it, head and body.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        let host = self.address.to_string();
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")) {
            request.push_str(&format!("Host: {host}\r\n"));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{request}\r\n").expect("it can be asked");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Asks it to end, as the system would, and waits for some seconds.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn ends_when_told_to(&mut self) -> bool {
        let told = Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(told.is_ok_and(|status| status.success()), "it can be told");
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(10) {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    /// How many threads it has.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn threads(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.child.id())).map_or(0, Iterator::count)
    }

    /// The log as the page saves it.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn log(&self) -> String {
        let answer = self.get("/run.log", &[]);
        answer.split_once("\r\n\r\n").expect("head and body").1.to_owned()
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page, as far as the server can tell.
pub struct Page {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    /// The log as it came.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub log: String,
    /// The number of the next line.
    pub next: u64,
    /// The last of each kind of message.
    pub last: std::collections::BTreeMap<String, Value>,
    /// Frames that came.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub frames: Vec<Vec<u8>>,
}

impl Page {
    /// Connects without saying anything.
    pub fn connect(address: SocketAddr) -> Self {
        Self::request(address, "/ws", None).expect("it lets its own page in")
    }

    /// Connects with a path and an origin of one's choice; why not, if it is refused.
    pub fn request(address: SocketAddr, path: &str, origin: Option<&str>) -> Result<Self, String> {
        let mut request = format!("ws://{address}{path}").into_client_request().expect("an address");
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        }
        let (socket, _) = tungstenite::connect(request).map_err(|error| error.to_string())?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        }
        Ok(Self { socket, log: String::new(), next: 0, last: Default::default(), frames: Vec::new() })
    }

    /// Says something.
    pub fn say(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).expect("it listens");
    }

    /// Reads one message. Every line of the log has to be there once, and in its place.
    pub fn read(&mut self) -> Value {
        match self.socket.read().expect("it speaks") {
            Message::Text(text) => {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                let kind = message["t"].as_str().expect("a type").to_owned();
                if kind == "run" && self.last.get("run").is_none_or(|known| known["id"] != message["id"]) {
                    (self.next, self.log) = (0, String::new());
                }
                if kind == "lines" {
                    assert_eq!(message["from"], self.next, "a gap in the log, or lines twice");
                    for line in message["lines"].as_array().expect("lines") {
                        assert_eq!(line["n"], self.next);
                        self.log.push_str(line["raw"].as_str().expect("a line"));
                        self.log.push('\n');
                        self.next += 1;
                    }
                }
                self.last.insert(kind, message.clone());
                message
            }
            Message::Binary(frame) => {
                self.frames.push(frame.to_vec());
                Value::Null
            }
            _ => Value::Null,
        }
    }

    /// Reads until a message is as wanted.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let message = self.read();
            if wanted(&message) {
                return message;
            }
            assert!(began.elapsed() < PATIENCE, "it never came; the last were {:?}", self.last);
        }
    }

    /// Reads until the run stands like this.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn until_it_is(&mut self, standing: &str) -> Value {
        self.until(|message| message["t"] == "standing" && message["is"] == standing)
    }

    /// Asks and waits for the answer.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn ask(&mut self, mut question: Value) -> Value {
        question["do"] = "ask".into();
        question["id"] = 77.into();
        self.say(question);
        self.until(|message| message["t"] == "answer" && message["id"] == 77)["value"].clone()
    }

    /// Waits until all that was done so far has been shown. Standing and moments come in any order: who waits for one of
    /// them may have had the other already. Whatever was new when the first ping was answered comes before the second is.
    #[allow(dead_code, reason = "not every test file needs every helper")]
    pub fn settle(&mut self) {
        for _ in 0..2 {
            assert_eq!(self.ask(serde_json::json!({"what": "ping"})), Value::Null);
        }
    }
}
