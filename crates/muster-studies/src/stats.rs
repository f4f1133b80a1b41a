//! The little statistics that the studies need.

/// Mean of a sample; zero for an empty one.
pub fn mean(sample: &[f64]) -> f64 {
    if sample.is_empty() { 0.0 } else { sample.iter().sum::<f64>() / sample.len() as f64 }
}

/// Standard deviation of a sample (n - 1); zero for fewer than two.
pub fn sd(sample: &[f64]) -> f64 {
    if sample.len() < 2 {
        return 0.0;
    }
    let mean = mean(sample);
    let squares: f64 = sample.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (sample.len() - 1) as f64).sqrt()
}

/// How many standard errors a 95 % interval of a mean reaches to either side, by degrees of freedom: Student's t, the
/// usual table up to ten and from there the first terms of its expansion about the normal distribution, right to 0.001.
pub fn student(freedom: usize) -> f64 {
    const FEW: [f64; 11] = [f64::INFINITY, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    // z; (z^3 + z)/4; (5 z^5 + 16 z^3 + 3 z)/96; (3 z^7 + 19 z^5 + 17 z^3 - 15 z)/384, of z = 1.959964.
    const TERMS: [f64; 4] = [1.959_964, 2.372_271, 2.822_499, 2.555_850];
    let expansion = || TERMS.iter().rev().fold(0.0, |sum, term| sum / freedom as f64 + term);
    FEW.get(freedom).copied().unwrap_or_else(expansion)
}

/// Where `value` lies in a sample, in percent: what is below it plus half of what equals it (mid-rank),
/// since many counts sit on one value. Values nearer than `half_unit`, half a unit of the last digit in
/// which the figure was printed, count as equal.
pub fn percentile(sample: &[f64], value: f64, half_unit: f64) -> f64 {
    if sample.is_empty() {
        return f64::NAN;
    }
    // A hair more than half a unit: 0.05 has no exact representation.
    let half_unit = half_unit * (1.0 + 1e-9);
    let below = sample.iter().filter(|&&other| other < value - half_unit).count();
    let equal = sample.iter().filter(|&&other| (other - value).abs() <= half_unit).count();
    (below as f64 + equal as f64 / 2.0) / sample.len() as f64 * 100.0
}

/// The value below which a `share` of the sorted sample lies (nearest rank).
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    if sorted.is_empty() {
        return f64::NAN;
    }
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As printed in tables of the distribution.
    #[test]
    fn students_t() {
        for (freedom, printed) in [(1, 12.706), (10, 2.228), (11, 2.201), (20, 2.086), (40, 2.021), (120, 1.980)] {
            assert!((student(freedom) - printed).abs() < 1e-3, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn mean_and_sd() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert_eq!(sd(&[1.0, 3.0]), 2.0_f64.sqrt());
        assert_eq!((mean(&[]), sd(&[5.0])), (0.0, 0.0));
    }

    #[test]
    fn percentile_is_by_mid_rank() {
        let sample = [1.0, 2.0, 2.0, 2.0, 3.0];
        assert_eq!(percentile(&sample, 2.0, 0.0), 50.0);
        assert_eq!(percentile(&sample, 0.0, 0.0), 0.0);
        assert_eq!(percentile(&sample, 9.0, 0.0), 100.0);
        // Printed with one decimal, 2.04 may have been 2.0.
        assert_eq!(percentile(&sample, 2.04, 0.05), 50.0);
    }

    #[test]
    fn quantiles_by_nearest_rank() {
        let sorted = [1.0, 2.0, 3.0, 4.0];
        assert_eq!((quantile(&sorted, 0.0), quantile(&sorted, 0.5), quantile(&sorted, 1.0)), (1.0, 2.0, 4.0));
    }
}
