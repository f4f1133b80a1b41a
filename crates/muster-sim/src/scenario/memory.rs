//! Whether a team fits the memory of this machine: told beforehand, since nothing can be told when there is none left.

/// What a robot takes about, in a run: its description, body, machine, timers and memory.
const BYTES_A_ROBOT: u64 = 1_000;
/// Robots of a team that fits any machine.
const SMALL: u64 = 1_000_000;

/// Why a team of that many robots does not fit into the memory, if it does not.
pub fn too_small_for(robots: u64) -> Option<String> {
    if robots <= SMALL {
        return None;
    }
    let (takes, free) = (robots.saturating_mul(BYTES_A_ROBOT), free()?);
    let gigabytes = |bytes: u64| bytes as f64 / 1e9;
    (takes > free).then(|| {
        format!("{robots} robots take about {:.1} GB, and {:.1} GB are free here", gigabytes(takes), gigabytes(free))
    })
}

/// Bytes that this process may still take. Nothing where the system does not tell as Linux does.
fn free() -> Option<u64> {
    let available = std::fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(available);
    let limit = std::fs::read_to_string("/proc/self/limits").ok().as_deref().and_then(limit);
    available.into_iter().chain(limit).min()
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The soft limit of `ulimit -v`, if there is one.
fn limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:    2048 kB\n"), Some(2 << 20));
        let limits =
            "Limit Soft Limit Hard Limit Units\nMax address space         8192000000           unlimited bytes\n";
        assert_eq!(limit(limits), Some(8_192_000_000));
        assert_eq!(limit(&limits.replace("8192000000", "unlimited ")), None);
        assert_eq!(too_small_for(1_000_000), None);
        assert!(too_small_for(u64::MAX).is_none_or(|why| why.contains(" GB are free here")));
    }
}
