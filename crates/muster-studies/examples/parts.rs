//! scratch
use muster_core::tasking::Variant;
use muster_studies::batch::Batch;
use muster_studies::tasking::*;
fn main() {
    let runs: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let b = Batch::quiet();
    for variant in [Variant::Fenced, Variant::Drawn] {
        for loss in [0.0, 0.1, 0.3] {
            println!("{:?}", partitions::partitions(variant, loss, (1, runs), &b).map_err(|e| format!("{e:?}")).unwrap());
        }
        for overlap in [2.0, 12.0, 20.0] { for loss in [0.0, 0.3] {
            println!("{:?}", chain::chain(variant, (loss, overlap), (1, runs / 10), &b).map_err(|e| format!("{e:?}")).unwrap());
        } }
        for net in elections::NETWORKS {
            println!("{:?}", elections::elections(net, variant, (1, runs / 10), &b).map_err(|e| format!("{e:?}")).unwrap());
        }
    }
    for t in load::load(1).map_err(|e| format!("{e:?}")).unwrap() { println!("{t:?}"); }
}
