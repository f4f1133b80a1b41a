//! Who may come in. The console has no users and no passwords: on this machine whoever can open a page may, and pages of
//! other sites may not, though the browser would let them try. From elsewhere it takes a token.

use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// Headers that go with every answer: nothing is loaded from elsewhere, nothing is run that is not ours, nobody puts the
/// page into a frame.
pub const HEADERS: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Why somebody may not come in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The address in the browser is not ours: a name of somebody else's that leads here.
    Host,
    /// A page of another site.
    Origin,
    /// No token, or a wrong one.
    Token,
}

impl Refusal {
    /// The body of the answer: what is wrong with the request, and what to try.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Host => "This console answers to the address that it printed, and to no other name.\n",
            Self::Origin => "A page of another site may not talk to this console.\n",
            Self::Token => "This console wants its token: open the address that it printed, ?token= and all.\n",
        }
    }
}

/// The one who looks.
pub struct Guard {
    address: IpAddr,
    port: u16,
    token: Option<String>,
}

impl Guard {
    /// For a server at this address. Any but loopback wants a token.
    pub fn new(address: IpAddr, port: u16, token: Option<String>) -> Self {
        Self { address, port, token }
    }

    /// Whether somebody who asks for the page may have it.
    pub fn host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if !self.address.is_loopback() {
            return Ok(());
        }
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let own = match self.address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let known = [own.as_str(), "127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
            let rest = host.strip_prefix(name);
            rest == Some(&format!(":{}", self.port)) || (rest == Some("") && self.port == 80)
        });
        if known { Ok(()) } else { Err(Refusal::Host) }
    }

    /// Whether somebody who wants to see or change the run may.
    pub fn admit(&self, headers: &HeaderMap, token: Option<&str>) -> Result<(), Refusal> {
        self.host(headers)?;
        // A browser always says which page asks; other programs do not, and need not.
        if let Some(origin) = headers.get(ORIGIN) {
            let (origin, host) = (origin.to_str().unwrap_or_default(), headers.get(HOST));
            let own = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
            let same = [format!("http://{own}"), format!("https://{own}")].iter().any(|known| known == origin);
            if own.is_empty() || !same {
                return Err(Refusal::Origin);
            }
        }
        match &self.token {
            Some(wanted) if !same_text(wanted, token.unwrap_or_default()) => Err(Refusal::Token),
            _ => Ok(()),
        }
    }
}

/// Compares every byte, wherever the first difference is: how long it takes tells nothing.
fn same_text(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("a header"));
        }
        headers
    }

    /// On this machine: our own page and programs, and nobody else.
    #[test]
    fn other_sites_are_refused() {
        let guard = Guard::new(IpAddr::from([127, 0, 0, 1]), 7000, None);
        let ask = |host: &str, origin| guard.admit(&headers(host, origin), None);
        assert_eq!(ask("127.0.0.1:7000", Some("http://127.0.0.1:7000")), Ok(()));
        assert_eq!(ask("localhost:7000", Some("http://localhost:7000")), Ok(()));
        assert_eq!(ask("127.0.0.1:7000", None), Ok(()));
        assert_eq!(ask("127.0.0.1:7000", Some("http://evil.example")), Err(Refusal::Origin));
        assert_eq!(ask("127.0.0.1:7000", Some("http://127.0.0.1:7001")), Err(Refusal::Origin));
        assert_eq!(ask("127.0.0.1:7000", Some("null")), Err(Refusal::Origin));
        assert_eq!(ask("evil.example:7000", Some("http://evil.example:7000")), Err(Refusal::Host));
        assert_eq!(ask("127.0.0.1:7001", None), Err(Refusal::Host));
        assert_eq!(guard.admit(&HeaderMap::new(), None), Err(Refusal::Host));
        let other = Guard::new(IpAddr::from([127, 0, 0, 2]), 7000, None);
        assert_eq!(other.admit(&headers("127.0.0.2:7000", Some("http://127.0.0.2:7000")), None), Ok(()));
    }

    /// From elsewhere: with the token only, and from our own page.
    #[test]
    fn elsewhere_takes_a_token() {
        let guard = Guard::new(IpAddr::from([10, 0, 0, 5]), 7000, Some("secret".to_owned()));
        let ask = |origin, token| guard.admit(&headers("robot.lan:7000", origin), token);
        assert_eq!(ask(Some("http://robot.lan:7000"), Some("secret")), Ok(()));
        for token in [None, Some(""), Some("secre"), Some("secret "), Some("Secret")] {
            assert_eq!(ask(Some("http://robot.lan:7000"), token), Err(Refusal::Token), "{token:?}");
        }
        assert_eq!(ask(Some("http://evil.example"), Some("secret")), Err(Refusal::Origin));
    }
}
