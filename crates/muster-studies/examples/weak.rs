//! scratch
use muster_studies::batch::Batch;
use muster_studies::tasking::weaknesses::WEAKNESSES;
fn main() {
    for weakness in WEAKNESSES {
        match weakness.show(1, 40, &Batch::quiet()) {
            Ok(shown) => for o in [&shown.drawn, &shown.fenced] {
                println!("{:34} {:7} never {:3} once {:3} more {:3} storms {:3} several leads {:3}  {:.2} {}", shown.id, o.variant, o.never, o.once, o.more, o.storms, o.several_leads, o.mean, o.counted);
            },
            Err(error) => println!("{}: {error:?}", weakness.id),
        }
    }
}
