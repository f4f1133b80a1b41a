//! scratch
use muster_core::tasking::Variant;
use muster_studies::batch::Batch;
use muster_studies::tasking::weaknesses::WEAKNESSES;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let runs: u64 = args[1].parse().unwrap();
    for weakness in WEAKNESSES.iter().filter(|w| args.len() < 3 || w.id.starts_with(&args[2])) {
        if args.len() > 3 {
            let variant = if args[3] == "drawn" { Variant::Drawn } else { Variant::Fenced };
            let (loaded, notes) = weakness.replay(variant, args[4].parse().unwrap()).map_err(|e| format!("{e:?}")).unwrap();
            let mut explainer = muster_sim::explain::Explainer::new(&loaded, muster_sim::Policy::Tasking(variant));
            for note in &notes { let line = explainer.line(note); println!("{:>9.2} {:8} {}", line.at.as_secs_f64(), explainer.robot(line.robot), line.text); }
            return;
        }
        match weakness.show(1, runs, &Batch::quiet()) {
            Ok(shown) => for o in [&shown.drawn, &shown.fenced] {
                println!("{:34} {:7} never {:3} once {:3} more {:3} storms {:3} several leads {:3}  {:.2} {}", shown.id, o.variant, o.never, o.once, o.more, o.storms, o.several_leads, o.mean, o.counted);
            },
            Err(error) => println!("{}: {error:?}", weakness.id),
        }
    }
}
