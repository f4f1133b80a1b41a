use muster_core::rng::Stream;
use muster_core::tasking::Variant;
use muster_studies::tasking::saboteur::Crashes;
use muster_studies::tasking::trial::Trial;
use muster_studies::tasking::witness::Verdict;
use rayon::prelude::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let variant = if args[1] == "drawn" { Variant::Drawn } else { Variant::Fenced };
    let crashes = match &*args[2] { "none" => Crashes::None, "one" => Crashes::One, _ => Crashes::Several };
    let runs: u64 = args[4].parse().unwrap();
    let mut changes = vec![format!("radio.loss={}", args[3])];
    if variant == Variant::Drawn { changes.push("tasking.t_peer_s=11".into()); }
    let trial = Trial::mesh(variant, crashes, &changes).map_err(|e| format!("{e:?}")).unwrap();
    if args.len() > 5 {
        let seed: u64 = args[5].parse().unwrap();
        let out = trial.run(seed, true);
        let policy = muster_sim::Policy::Tasking(variant);
        let mut explainer = muster_sim::explain::Explainer::new(trial.loaded(), policy);
        for note in &out.notes { let line = explainer.line(note); println!("{:>9.2} {:8} {}", line.at.as_secs_f64(), explainer.robot(line.robot), line.text); }
        println!("{:?} {:?} {:?}", out.verdicts, out.done, out.struck);
        return;
    }
    let began = std::time::Instant::now();
    let outs: Vec<(u64, Verdict, f64, u64)> = (0..runs).into_par_iter().map(|i| { let seed = Stream::seed_of_run(1, i); let o = trial.run(seed, false); (seed, o.verdict(), o.end.as_secs_f64(), o.messages) }).collect();
    let all = outs.iter().fold(Verdict::default(), |a, o| a.and(o.1));
    println!("{} {} {}: {all:?} in {:.1} s; messages {:.1}; end {:.1}", args[1], args[2], args[3], began.elapsed().as_secs_f64(), outs.iter().map(|o| o.3).sum::<u64>() as f64 / runs as f64, outs.iter().map(|o| o.2).sum::<f64>() / runs as f64);
    for o in outs.iter().filter(|o| o.1.duplicates + o.1.lost > 0).take(5) { println!("  {} {:?} end {}", o.0, o.1, o.2); }
}
