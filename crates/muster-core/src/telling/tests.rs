use super::trial::{Trial, check_named};
use super::*;
use crate::event::Drop;
use crate::panel::Family;

/// What no mechanism notes is about every robot that its sentence names, too.
#[test]
fn notes_common_to_all_concern_those_they_name() {
    let (family, why) = (Family::Call, Drop::Late);
    check_named(&Trial::new().tell(1, 0, Event::Dropped { with: RobotId(7), message: "HELP", family, why }), &[7]);
    let happening = Happening::CutOver { between: (RobotId(5), RobotId(6)), more: 0 };
    check_named(&Trial::new().tell(1, 0, Event::Happened(happening)), &[5, 6]);
}
