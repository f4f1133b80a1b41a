//! What to say before a run: what of its mission nobody will be able to do, as far as that can be told from its file.

use std::collections::BTreeMap;

use muster_core::recruitment::Strategy;
use muster_core::tasking::Variant;
use muster_core::tasking::group::Coupling;
use muster_core::{Brief, Duration, Kind, Percepts, Point, RobotId, TaskId, Time};

use super::{Loaded, Section, recruitment};
use crate::mission::{Directive, OrderSpec, RobotSpec, SeenBy};
use crate::scheme::Scheme;

impl Loaded {
    /// All of it that is to be said before a run under these schemes.
    pub fn foreseen(&self, schemes: &[Scheme]) -> Vec<String> {
        let mut said = self.never_free();
        said.extend(self.never_agreed());
        for scheme in schemes {
            if let Scheme::Tasking(variant) = *scheme {
                said.extend(self.beyond_bids(variant));
                said.extend(self.coarser_than_windows(variant));
                said.extend(self.longer_than_bids(variant));
                said.extend(self.between_samples(variant));
                said.extend(self.untold_changes(variant));
            }
        }
        said
    }

    /// What to say before a run if nobody can bid for a task from where vehicles stand at first: the last time that bids are
    /// for comes too early. Nothing if somebody's place is left to chance.
    pub fn beyond_bids(&self, variant: Variant) -> Vec<String> {
        let (config, nodes) = self.tasking(variant);
        let horizon_s = config.grid.horizon().as_secs_f64();
        let robots = self.mission.robots.iter().zip(nodes).filter(|(_, node)| !node.console);
        let says = |(name, _, brief): (String, Time, Brief)| {
            let place = self.mission.tasks[brief.task.id.index()].place?;
            let template = config.templates.get(&brief.kind).map_or(&[][..], |template| &template.phases);
            let phases = template.iter().map(|phase| (phase.offset, brief.task.needs.and(phase.needs)));
            let targets = phases.chain(template.is_empty().then_some((Point::default(), brief.task.needs)));
            let soonest = |(offset, needs): (Point, Percepts)| {
                let target = Point::new(place.x + offset.x, place.y + offset.y);
                let able = robots.clone().filter(|(robot, _)| robot.percepts.cover(needs));
                let each = able.map(|(robot, _)| Some((robot.place?.distance(target) / robot.speed_mps, &*robot.name)));
                each.collect::<Option<Vec<_>>>()?.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))
            };
            // The phase that is farthest off for whoever is closest to it.
            let (soonest_s, first) = targets.filter_map(soonest).max_by(|a, b| a.0.total_cmp(&b.0))?;
            let step_s = (soonest_s / (f64::from(config.grid.times.max(2)) - 1.0)).ceil() + 1.0;
            let times = if config.grid.times < 2 { "tasking.grid.times to 2 or more and " } else { "" };
            let try_this = match config.adaptive {
                true => format!("set tasking.horizon_s to {:.0} or more, or leave it out", soonest_s.ceil() + 10.0),
                false => format!(
                    "set {times}tasking.grid.step_s to {step_s:.0} or more, or leave tasking.grid out with variant fenced"
                ),
            };
            (soonest_s > horizon_s).then(|| {
                format!(
                    "nobody can bid for {name} from where vehicles stand: it takes {first} {soonest_s:.0} s, beyond the last \
                     sample ({horizon_s:.0} s): {try_this}"
                )
            })
        };
        self.orders().filter_map(says).collect()
    }

    /// What to say before a run if its horizon is so late that groups are planned in steps wider than a window that ties their
    /// phases together: a plan for them may then be missed that is there.
    pub fn coarser_than_windows(&self, variant: Variant) -> Option<String> {
        let (config, _) = self.tasking(variant);
        let couplings = config.templates.values().flat_map(|template| &template.couplings);
        let (step_s, horizon_s) = (config.grid.step.as_secs_f64(), config.grid.horizon().as_secs_f64());
        let narrowest_s = couplings.filter_map(Coupling::width).min()?.as_secs_f64();
        (config.adaptive && step_s > narrowest_s.max(1.0)).then(|| {
            format!(
                "with a horizon of {horizon_s:.0} s groups are planned in steps of {step_s} s, and the narrowest window between two \
                 phases is {narrowest_s} s wide: they may be said to be impossible though they are not; set tasking.horizon_s \
                 to {:.0} or less",
                (horizon_s * narrowest_s.max(1.0) / step_s).floor()
            )
        })
    }

    /// What to say before a run of groups that take longer than all times that are bid for: they cannot be flown as they are tied
    /// together.
    pub fn longer_than_bids(&self, variant: Variant) -> Vec<String> {
        let (config, _) = self.tasking(variant);
        let horizon_s = config.grid.horizon().as_secs_f64();
        let says = |(name, _, brief): (String, Time, Brief)| {
            let span_s = config.templates.get(&brief.kind)?.span().as_secs_f64();
            let most = config.grid.times.max(2) - 1;
            let try_this = match config.adaptive {
                true => format!("set tasking.horizon_s to {:.0} or more, or leave it out", (span_s + 100.0).ceil()),
                false => format!(
                    "set tasking.grid.step_s to {:.0} or more, or leave tasking.grid out with variant fenced",
                    ((span_s + 100.0) / f64::from(most)).ceil()
                ),
            };
            (span_s > horizon_s).then(|| {
                format!(
                    "{name} cannot be flown as it is tied together: that takes {span_s:.0} s from its first phase to its last, and \
                     bids are for {horizon_s:.0} s: {try_this}"
                )
            })
        };
        self.orders().filter_map(says).collect()
    }

    /// What to say before a run of groups with a window that lies between two times that are bid for: no plan keeps it.
    pub fn between_samples(&self, variant: Variant) -> Vec<String> {
        let (config, _) = self.tasking(variant);
        let step = config.grid.step.as_micros().max(1) as i64;
        let says = |kind: &Kind, coupling: &Coupling| {
            let (least, most) = (coupling.dt_min?, coupling.dt_max?);
            let holds_none = most.div_euclid(step) < least.div_euclid(step) + i64::from(least.rem_euclid(step) > 0);
            let kind = self.tasking.as_ref()?.kinds.get((kind.0 as usize).checked_sub(1)?)?;
            let seconds = |micros: i64| micros as f64 / 1e6;
            holds_none.then(|| {
                format!(
                    "nobody can be found for {kind} as it is tied together: phases {} and {} are to be {} to {} s apart, and groups are \
                     planned in steps of {} s: make it hold a multiple of that",
                    coupling.a + 1,
                    coupling.b + 1,
                    seconds(least),
                    seconds(most),
                    seconds(step),
                )
            })
        };
        let couplings = config.templates.iter().flat_map(|(kind, it)| it.couplings.iter().map(move |it| (kind, it)));
        couplings.filter_map(|(kind, coupling)| says(kind, coupling)).collect()
    }

    /// What to say before a run in which operators change orders, if nobody can be told of it: as drawn and as written there is
    /// no message for that.
    pub fn untold_changes(&self, variant: Variant) -> Vec<String> {
        let names: BTreeMap<TaskId, String> = self.orders().map(|(name, _, brief)| (brief.task.id, name)).collect();
        let says = |spec: &OrderSpec| match spec.order {
            Directive::Change { first, .. } => Some(format!(
                "{} stays as it is: nobody can be told of its change at {} s, since {} has no message for that; set \
                 tasking.variant to fenced",
                names.get(&first)?,
                spec.at.as_secs_f64(),
                variant.name(),
            )),
            Directive::Inject(_) | Directive::Cancel(_) => None,
        };
        let untold = self.mission.orders.iter().filter(|_| !Scheme::Tasking(variant).hears_changes());
        untold.filter_map(says).collect()
    }

    /// What to say before a run if calls for help can be answered by robots only that scan without a pause: those are never free, and
    /// the mission would wait for them to its end.
    pub fn never_free(&self) -> Vec<String> {
        let section = self.scenario.recruitment.clone().unwrap_or_default();
        let lends = recruitment::recruitment(&section, self.mission.robots.len()).serves_while_waiting;
        let says = |call: Call| {
            let mut able = self.able(&call).peekable();
            let first = able.peek()?.1.name.clone();
            // One that waits at a stop of its own leaves it to serve a robot with a lower number.
            let busy = |(other, robot): (RobotId, &RobotSpec)| {
                let scan = robot.errand.as_ref();
                scan.is_some_and(|scan| {
                    scan.pause == Duration::ZERO && !(lends && scan.stops > 0 && other > call.caller)
                })
            };
            able.all(busy).then(|| {
                format!(
                    "nobody is ever free for {}: {first}, and whoever else could help, scans without a pause: set \
                     scan.pause_s, the time that it stands at each end and may be called",
                    call.what
                )
            })
        };
        self.calls().filter_map(says).collect()
    }

    /// What to say before a run if every robot that could help comes for a longer lease than the one that calls agrees to.
    pub fn never_agreed(&self) -> Vec<String> {
        // Whichever strategy: all of them agree on leases alike.
        let recruiters = self.recruiters(Strategy::Greedy);
        let says = |call: Call| {
            let most = recruiters.of(call.caller).longest_lease;
            let shortest =
                |(robot, spec): (RobotId, &RobotSpec)| (recruiters.of(robot).shortest_lease, spec.name.clone());
            let (least, first) = self.able(&call).map(shortest).min()?;
            (least > most).then(|| {
                let caller = &self.mission.robots[call.caller.index()].name;
                format!(
                    "nobody can be recruited for {}: {caller} agrees to {most:.1} at most, and {first}, and whoever else \
                     could help, comes for no less than {least:.1}: make shortest_lease_s of the one at most lease_s of the other",
                    call.what
                )
            })
        };
        self.calls().filter_map(says).collect()
    }

    /// What robots will call for help with that recruit.
    fn calls(&self) -> impl Iterator<Item = Call> {
        let recruits = matches!(self.scenario.section(), Section::Recruitment(_));
        let robots = self.mission.robots.iter().zip(0..).filter(move |_| recruits);
        let stops = robots.filter_map(|(robot, number)| {
            let scan = robot.errand.as_ref().filter(|scan| scan.stops > 0)?;
            Some(Call { caller: RobotId(number), needs: scan.needs, what: format!("the stops of {}", robot.name) })
        });
        let tasks = self.mission.tasks.iter().zip(&self.task_names).filter(move |_| recruits);
        let seen = tasks.filter_map(|(task, name)| match task.seen_by {
            SeenBy::One(caller) => Some(Call { caller, needs: task.needs, what: name.clone() }),
            SeenBy::Able | SeenBy::Ordered(_) => None,
        });
        stops.chain(seen)
    }

    /// The robots that could answer a call.
    fn able(&self, call: &Call) -> impl Iterator<Item = (RobotId, &RobotSpec)> {
        let (caller, needs) = (call.caller, call.needs);
        let robots = self.mission.robots.iter().zip(0..).map(|(robot, number)| (RobotId(number), robot));
        robots.filter(move |(other, robot)| *other != caller && robot.percepts.cover(needs))
    }
}

/// Something that a robot calls for help with.
struct Call {
    caller: RobotId,
    needs: Percepts,
    /// What it is, to people.
    what: String,
}
