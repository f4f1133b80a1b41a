//! How messages and waiting time are distributed over the runs of a batch.

use serde_json::json;

use super::look;
use super::plot::Plot;
use crate::run::Row;
use crate::summary::Summary;

/// Columns of a histogram: few enough that each holds some runs, enough that a shape can be seen.
const MOST_BINS: f64 = 40.0;

/// What is counted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Messages sent by anybody.
    Messages,
    /// Waiting time summed over the tasks.
    Wait,
}

impl What {
    fn of(self, row: &Row) -> f64 {
        match self {
            Self::Messages => row.messages as f64,
            Self::Wait => row.wait_s,
        }
    }
}

/// The histogram: one outline per strategy.
pub fn plot(what: What, summary: &[Summary], rows: &[Row]) -> Plot {
    let (id, title, unit) = match what {
        What::Messages => ("distribution-messages", "Messages", ""),
        What::Wait => ("distribution-wait", "Waiting time", " s"),
    };
    let bins = Bins::of(rows.iter().map(|row| what.of(row)));
    let mut data = Vec::new();
    let mut words = Vec::new();
    for line in summary {
        let look = look::of(line.strategy);
        let own = rows.iter().filter(|row| row.strategy == line.strategy).map(|row| what.of(row));
        let (x, y) = bins.outline(own, line.runs);
        let mean = if what == What::Messages { line.messages } else { line.wait_s };
        words.push(format!("{}: mean {:.1}{unit}, standard deviation {:.1}{unit}", line.strategy, mean.mean, mean.sd));
        data.push(json!({
            "type": "scatter", "mode": "lines", "name": line.strategy, "x": x, "y": y, "fill": "tozeroy",
            "fillcolor": look.pale, "line": {"color": look.colour, "dash": look.dash, "width": 2, "shape": "hv"},
            "hovertemplate": format!("{}<br>from %{{x}}{unit}: %{{y:.1f}} % of runs<extra></extra>", line.strategy),
        }));
    }
    let name = title.to_lowercase();
    let axis = if unit.is_empty() { format!("{name} of a run") } else { format!("{name} of a run,{unit}") };
    Plot {
        id: id.to_owned(),
        title: format!("{title} of a run: distribution"),
        alt: format!("Distribution of {name}. {}.", words.join("; ")),
        caption: format!("Share of runs by {name}, in columns of {}{unit}.", bins.width),
        data,
        layout: json!({
            "xaxis": {"title": {"text": axis}, "showgrid": false},
            "yaxis": {"title": {"text": "runs, %"}, "rangemode": "tozero"},
        }),
        height: 400,
    }
}

/// Columns of equal, round width.
struct Bins {
    start: f64,
    width: f64,
    count: usize,
}

impl Bins {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Self { start: 0.0, width: 1.0, count: 1 };
        }
        // 1, 2 or 5 of the power of ten that gives no more than so many; not below one: messages are whole.
        let mut width = 1.0;
        let mut factors = [2.0, 2.5, 2.0].into_iter().cycle();
        while (high - low) / width > MOST_BINS {
            width *= factors.next().expect("a cycle never ends");
        }
        let start = (low / width).floor() * width;
        Self { start, width, count: ((high - start) / width).floor() as usize + 1 }
    }

    /// Left edges and shares in percent, with a column of nothing on both sides.
    fn outline(&self, values: impl Iterator<Item = f64>, runs: usize) -> (Vec<f64>, Vec<f64>) {
        let mut counts = vec![0_u64; self.count];
        for value in values {
            let bin = ((value - self.start) / self.width).floor() as usize;
            counts[bin.min(self.count - 1)] += 1;
        }
        let edge = |index: usize| self.start + self.width * index as f64;
        let x = std::iter::once(self.start).chain((0..=self.count).map(edge));
        let share = |count: u64| count as f64 / runs.max(1) as f64 * 100.0;
        let y = std::iter::once(0.0).chain(counts.into_iter().map(share)).chain([0.0]);
        (x.collect(), y.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_round_and_hold_everything() {
        let values = [50.0, 61.0, 75.0, 75.0, 400.0];
        let bins = Bins::of(values.into_iter());
        assert_eq!((bins.start, bins.width, bins.count), (50.0, 10.0, 36));
        let (x, y) = bins.outline(values.into_iter(), values.len());
        assert_eq!(x.len(), y.len());
        assert_eq!(y.iter().sum::<f64>(), 100.0);
        // The largest value lies in the last column.
        assert_eq!((x[x.len() - 2], y[y.len() - 2]), (400.0, 20.0));
    }

    #[test]
    fn bins_of_one_value_and_of_none() {
        assert_eq!(Bins::of([75.0].into_iter()).count, 1);
        assert_eq!(Bins::of(std::iter::empty()).count, 1);
    }
}
