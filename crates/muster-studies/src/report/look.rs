//! How strategies look, the same in every plot: a colour, a shape and a dash each, so that none has to be
//! told from another by colour alone. The colours (page.css) are those of Okabe & Ito.

/// How a strategy is drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The name of its colour, for page.js.
    pub colour: &'static str,
    /// The same, for areas.
    pub pale: &'static str,
    /// Marker of what we measured.
    pub symbol: &'static str,
    /// Marker of what the paper says: a ring around ours if both agree.
    pub ring: &'static str,
    /// Its line.
    pub dash: &'static str,
}

/// How the strategy or rule of this name is drawn.
pub fn of(strategy: &str) -> Look {
    match strategy {
        "I" | "i" | "preferred" | "fenced" => {
            Look { colour: "@h1", pale: "@h1/0.18", symbol: "circle", ring: "circle-open", dash: "solid" }
        }
        "II" | "ii" | "regret" | "drawn" => {
            Look { colour: "@h2", pale: "@h2/0.18", symbol: "square", ring: "square-open", dash: "dash" }
        }
        "III" | "iii" | "replan" | "written" => {
            Look { colour: "@h3", pale: "@h3/0.18", symbol: "diamond", ring: "diamond-open", dash: "dot" }
        }
        "replan-broadcast" | "fixed" => {
            let (symbol, ring) = ("triangle-up", "triangle-up-open");
            Look { colour: "@h4", pale: "@h4/0.18", symbol, ring, dash: "dashdot" }
        }
        "affective" => {
            Look { colour: "@affective", pale: "@affective/0.18", symbol: "circle", ring: "circle-open", dash: "solid" }
        }
        "greedy" => {
            Look { colour: "@greedy", pale: "@greedy/0.18", symbol: "square", ring: "square-open", dash: "dash" }
        }
        _ => Look { colour: "@random", pale: "@random/0.18", symbol: "diamond", ring: "diamond-open", dash: "dot" },
    }
}
