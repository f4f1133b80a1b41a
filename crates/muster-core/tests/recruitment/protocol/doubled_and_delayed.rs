//! A radio that doubles messages and holds them back for seconds, and robots that restart meanwhile: with
//! [`Config::safe`], an AGREE that answers an earlier ARRIVAL must not set anybody to work.
//!
//! Three robots, each driven by hand at the times given: every message takes 0.1 s unless the test says otherwise. No
//! deadline is bent; all values are those of [`Config::safe`].

use super::*;

/// The UAV has called for the mine at 0 s and chosen R1, which stands 5 m away, arrives at 7.1 s and is answered with
/// AGREE at 7.2 s. The UAV calls nobody else before 27.4 s. What it has sent until then may come again at any time.
struct Agreed {
    uav: Robot,
    r1: Robot,
    r2: Robot,
    help: Message,
    responder: Message,
    agree: Message,
}

fn agreed() -> Agreed {
    let safe = || safe().with(Strategy::Greedy);
    let (mut uav, mut r1, r2) =
        (Robot::new(UAV, 0.0, safe()), Robot::new(R1, 5.0, safe()), Robot::new(R2, 1.0, safe()));
    let help = only(&uav.give(sees(MINE)));
    let accept = only(&r1.give_at(0.1, hears(UAV, help.clone())));
    uav.give_at(0.2, hears(R1, accept));
    let responder = only(&uav.give_at(2.0, Given::Due(Timer::Requesting)));
    r1.give_at(2.1, hears(UAV, responder.clone()));
    let arrival = only(&r1.give_at(7.1, Given::Senses(Percept::Arrived)));
    let agree = only(&uav.give_at(7.2, hears(R1, arrival)));
    Agreed { uav, r1, r2, help, responder, agree }
}

/// The one message among outputs.
#[track_caller]
fn only(outputs: &[Out]) -> Message {
    let messages: Vec<_> = sent(outputs).map(|(_, message)| message.clone()).collect();
    let [message] = &messages[..] else { panic!("one message, not {messages:?}") };
    message.clone()
}

impl Agreed {
    /// R1 hears copies of HELP and RESPONDER at these times on its own clock, and arrives: it says ARRIVAL once more.
    fn r1_arrives_again(&mut self, [help_s, responder_s, arrives_s]: [f64; 3]) {
        self.r1.give_at(help_s, hears(UAV, self.help.clone()));
        self.r1.give_at(responder_s, hears(UAV, self.responder.clone()));
        let arrival = only(&self.r1.give_at(arrives_s, Given::Senses(Percept::Arrived)));
        assert_eq!(arrival.name(), "ARRIVAL");
    }

    /// The AGREE to R1's first ARRIVAL comes, at this time on R1's clock.
    fn r1_hears_the_first_agree(&mut self, at_s: f64) {
        self.r1.give_at(at_s, hears(UAV, self.agree.clone()));
    }

    /// The UAV's call at `at_s` is answered by R2, which works from 3.3 s later on.
    fn r2_takes_over_after_a_call_at(&mut self, at_s: f64) -> Message {
        let help = only(&self.uav.give_at(at_s, Given::Due(Timer::Requesting)));
        let accept = only(&self.r2.give_at(at_s + 0.1, hears(UAV, help.clone())));
        self.uav.give_at(at_s + 0.2, hears(R2, accept));
        let responder = only(&self.uav.give_at(at_s + 2.0, Given::Due(Timer::Requesting)));
        self.r2.give_at(at_s + 2.1, hears(UAV, responder));
        let arrival = only(&self.r2.give_at(at_s + 3.1, Given::Senses(Percept::Arrived)));
        let agree = only(&self.uav.give_at(at_s + 3.2, hears(R2, arrival)));
        self.r2.give_at(at_s + 3.3, hears(UAV, agree));
        assert!(works(&self.r2, 0.0).is_some(), "R2 works");
        help
    }

    /// Never two at once. `r1_zero_s`: the time at which R1's clock stood at zero.
    #[track_caller]
    fn never_two_at_work(&self, r1_zero_s: f64) {
        let (r1, r2) = (works(&self.r1, r1_zero_s), works(&self.r2, 0.0));
        if let (Some((from_1, until_1)), Some((from_2, until_2))) = (r1, r2) {
            assert!(
                until_1 <= from_2 || until_2 <= from_1,
                "R1 works from {from_1} s to {until_1} s, R2 from {from_2} s to {until_2} s"
            );
        }
        assert_eq!(r1, None, "R1 was never answered");
    }
}

/// From when to when a robot works, if it does, in seconds of true time.
fn works(robot: &Robot, zero_s: f64) -> Option<(f64, f64)> {
    robot.acted.iter().find_map(|(at, action)| match action {
        Action::Work { until, .. } => Some((zero_s + at.as_secs_f64(), zero_s + until.as_secs_f64())),
        _ => None,
    })
}

/// R1 restarts after its ARRIVAL, hears HELP and RESPONDER a second time and arrives again; then the AGREE to its first
/// ARRIVAL comes, 4.9 s late. Were it taken for one to the second, R1 would work until 32.0 s; the UAV waits for the
/// lease from the first ARRIVAL, until 27.4 s, and has R2 at work from 30.7 s.
#[test]
fn an_agree_to_the_arrival_before_a_restart_sets_nobody_to_work() {
    let mut team = agreed();
    team.r1.give_at(8.0, Given::Restarts);
    team.r1_arrives_again([8.5, 9.0, 12.0]);
    team.r1_hears_the_first_agree(12.1);
    team.uav.give_at(17.2, Given::Due(Timer::Requesting));
    team.r2_takes_over_after_a_call_at(27.4);
    team.never_two_at_work(0.0);
}

/// The UAV loses its memory after AGREE and takes a fresh number. R1 hears of the new life, so that a copy of the dead
/// life's HELP counts as new once more, and a copy of its AGREE comes after R1 has arrived for it again.
#[test]
fn an_agree_of_a_life_that_was_lost_sets_nobody_to_work() {
    let mut team = agreed();
    team.uav.give_at(7.3, Given::Starts(None));
    team.uav.give_at(7.4, sees(MINE));
    team.r1.give_at(12.1, Given::Due(Timer::Responding));
    let new_call = team.r2_takes_over_after_a_call_at(27.5);
    team.r1.give_at(27.6, hears(UAV, new_call));
    team.r1.give_at(37.6, Given::Due(Timer::Responding));
    team.r1_arrives_again([38.0, 38.5, 43.5]);
    team.r1_hears_the_first_agree(43.6);
    team.never_two_at_work(0.0);
}

/// R1's clock starts at zero with the restart at 8.0 s, and R1 says its second ARRIVAL when its clock shows what it
/// showed at the first: an instant of its own clock would not tell the two apart.
#[test]
fn an_agree_to_an_arrival_before_the_clock_began_anew_sets_nobody_to_work() {
    let mut team = agreed();
    team.r1.now = Time::ZERO;
    team.r1.give(Given::Restarts);
    team.r1_arrives_again([0.5, 1.0, 7.1]);
    team.r1_hears_the_first_agree(7.2);
    team.uav.give_at(17.2, Given::Due(Timer::Requesting));
    team.r2_takes_over_after_a_call_at(27.4);
    team.never_two_at_work(8.0);
}

/// Each ARRIVAL has a number of its own, AGREE gives it back, and only that AGREE counts.
#[test]
fn agree_says_which_arrival_it_answers() {
    let mut team = agreed();
    let Message::Agree { number: first, .. } = team.agree else { panic!("{:?}", team.agree) };
    let mut stays = team.r1.clone();
    stays.give_at(7.3, hears(UAV, team.agree.clone()));
    assert!(works(&stays, 0.0).is_some(), "the AGREE to its own ARRIVAL counts");
    team.r1.give_at(8.0, Given::Restarts);
    team.r1_arrives_again([8.5, 9.0, 12.0]);
    let Responding::Arrived { number: second, .. } = *team.r1.machine.responding() else { panic!("it has arrived") };
    assert_ne!(first, second);
    team.r1.drops(hears(UAV, team.agree.clone()), Drop::Late);
}
