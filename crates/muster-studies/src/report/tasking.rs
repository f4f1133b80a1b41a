//! The report of the Collaborative Tasking Protocol: so far its cost functions. [MacKenzie 2003]

mod costs;
mod sampling;

use super::plot::{Plot, grid};
use crate::provenance::Provenance;
use crate::tasking::Study;

const TITLE: &str = "Collaborative tasking, reproduced";

const COSTS: &str = "What doing the task costs a vehicle, over the time at which it is done and the heading on which the \
    vehicle comes in. Lines are the cost functions, marks are the samples of them that a bid holds. The paper's text \
    gives doug2's cost at two times, 40 at 20 s and 50 at 25 s, and ours are these.";
const SAMPLING: &str = "A bid of the paper holds 168 samples in 336 bytes. Adaptive sampling sends the earliest time and \
    its cost at some 15 headings, placed where they are needed, and once for all how cost grows with waiting. Errors are \
    against the cost function itself at every second and every 5 degrees.";

/// Cost functions and how they are sampled.
pub fn page(study: &Study, from: &Provenance, interrupted: bool) -> String {
    let rows = &study.sampling;
    let (costs, errors) = (costs::plots(&study.figures), sampling::plots(rows, &study.budgets));
    let body = format!(
        "<header>\n<h1>{TITLE}</h1>\n</header>\n<section id=\"costs\">\n<h2>Cost functions (Figures 4 to 6)</h2>\n\
         <p>{COSTS}</p>\n{}</section>\n<section id=\"sampling\">\n<h2>Adaptive sampling</h2>\n<p>{SAMPLING}</p>\n\
         {}{}</section>\n",
        grid(&costs),
        grid(&errors),
        sampling::table(rows)
    );
    let plots: Vec<Plot> = costs.into_iter().chain(errors).collect();
    super::page::page(TITLE, &body, &plots, from, interrupted)
}
