//! The format of scenario files. Every key is documented here; `muster schema` prints these words.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::alliance::AllianceSection;
use super::recruitment::RecruitmentSection;
use super::tasking::{OrderEntry, TaskingSection};
use super::value::{Finite, NonNegative, Place, Positive, Probability};

/// A mission: who takes part, what is to be done, what goes wrong, and how the team coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(title = "Muster scenario"))]
pub struct Scenario {
    /// What this mission is about, in a sentence or two.
    #[serde(default)]
    pub description: String,
    /// The mission ends after this many simulated hours, whatever is left to do.
    #[serde(default = "a_day")]
    pub limit_h: Positive,
    /// The field.
    pub field: Field,
    /// Groups of like robots, by name. A group of one bears the name itself; the robots of a larger
    /// group are called `name-1`, `name-2`, ... Numbers are given in the order of this file.
    pub robots: IndexMap<String, Group>,
    /// Places that others name, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub places: IndexMap<String, Place>,
    /// Tasks that come up at a given time, by name.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub tasks: IndexMap<String, TaskEntry>,
    /// What the robots talk over.
    #[serde(default)]
    pub radio: RadioSection,
    /// What goes wrong, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultEntry>,
    /// How long work takes, for tasks with `work_s`.
    #[serde(default, skip_serializing_if = "WorkSection::is_default")]
    pub work: WorkSection,
    /// A long box that is pushed by its ends.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub pushed: Option<BoxEntry>,
    /// How robots recruit each other. This is how they coordinate if there is no other section for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recruitment: Option<RecruitmentSection>,
    /// Robots grow impatient with tasks that do not get done, and take them over (ALLIANCE, L-ALLIANCE).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alliance: Option<AllianceSection>,
    /// Operators ask for tasks, which are auctioned with cost functions (the Collaborative Tasking Protocol).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasking: Option<TaskingSection>,
}

/// The section that says how a team coordinates.
#[derive(Copy, Clone, Debug)]
pub enum Section<'s> {
    /// `[recruitment]`, or no section at all.
    Recruitment(Option<&'s RecruitmentSection>),
    /// `[alliance]`.
    Alliance(&'s AllianceSection),
    /// `[tasking]`.
    Tasking(&'s TaskingSection),
}

impl Section<'_> {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recruitment(_) => "recruitment",
            Self::Alliance(_) => "alliance",
            Self::Tasking(_) => "tasking",
        }
    }
}

impl Scenario {
    /// How its team coordinates. `build` sees to it that there is one section at most.
    pub fn section(&self) -> Section<'_> {
        self.sections().pop().unwrap_or(Section::Recruitment(None))
    }

    /// The sections for mechanisms that there are. All keys are named, so that the section of a new mechanism cannot be
    /// forgotten here, nor, by its variant, wherever it makes a difference.
    pub(super) fn sections(&self) -> Vec<Section<'_>> {
        let Self {
            description: _,
            limit_h: _,
            field: _,
            robots: _,
            places: _,
            tasks: _,
            radio: _,
            faults: _,
            work: _,
            pushed: _,
            recruitment,
            alliance,
            tasking,
        } = self;
        let recruitment = recruitment.as_ref().map(|section| Section::Recruitment(Some(section)));
        let (alliance, tasking) = (alliance.as_ref().map(Section::Alliance), tasking.as_ref().map(Section::Tasking));
        [recruitment, alliance, tasking].into_iter().flatten().collect()
    }
}

fn a_day() -> Positive {
    constant(24.0)
}

/// A number of this program's own text.
fn constant(value: f64) -> Positive {
    Positive::new(value).expect("a positive constant")
}

/// The field: a rectangle with its south-west corner at (0, 0).
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Metres from west to east.
    pub width_m: Positive,
    /// Metres from south to north.
    pub height_m: Positive,
}

/// A group of like robots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// How many there are.
    #[serde(default = "one")]
    pub count: u32,
    /// How fast they drive, in metres per second.
    pub speed_mps: Positive,
    /// What they can perceive: names of your own choosing, the same ones as in `needs`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percepts: Vec<String>,
    /// Where it stands at first (groups of one). Without it, anywhere in the field, drawn from the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// A raster scan that it is busy with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan: Option<ScanEntry>,
    /// When it is switched on; at the beginning without it.
    #[serde(default = "nothing", skip_serializing_if = "is_nothing")]
    pub joins_s: NonNegative,
    /// A task: whenever it is switched on, it is put where this task is, as soon as nobody else is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub put_at: Option<String>,
    /// How many seconds they can stay in the air, waiting included, with tasking: back at their base before it is over, or out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endurance_s: Option<Positive>,
    /// The place, one of `[places]`, where they get loads and endurance back, with tasking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How long that takes them there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reload_s: Option<NonNegative>,
    /// `t` of these robots, with recruitment: they answer when their SHAME is above this. As `[recruitment]` has it without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<Finite>,
    /// `c` of these robots, with recruitment: SHAME that ignoring one HELP adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Finite>,
    /// `d` of these robots, with recruitment: SHAME that ignoring a HELP from one metre away adds on top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proximity_m: Option<NonNegative>,
    /// `k` of these robots, with recruitment: SHAME that fades in a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decay_per_s: Option<Finite>,
    /// How long these robots offer to take a task over for, and the longest lease they agree to, with recruitment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease_s: Option<Positive>,
    /// The shortest lease for which these robots take a task over, with recruitment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest_lease_s: Option<NonNegative>,
}

impl Group {
    /// The first key of its own that means something with recruitment only.
    pub(super) fn recruits_by(&self) -> Option<&'static str> {
        let given = [
            ("threshold", self.threshold.is_some()),
            ("refusal", self.refusal.is_some()),
            ("proximity_m", self.proximity_m.is_some()),
            ("decay_per_s", self.decay_per_s.is_some()),
            ("lease_s", self.lease_s.is_some()),
            ("shortest_lease_s", self.shortest_lease_s.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(key, _)| key)
    }

    /// The first key of its own that means something with tasking only.
    pub(super) fn flies_by(&self) -> Option<&'static str> {
        let given = [
            ("endurance_s", self.endurance_s.is_some()),
            ("base", self.base.is_some()),
            ("reload_s", self.reload_s.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(key, _)| key)
    }
}

fn one() -> u32 {
    1
}

/// A raster scan: rows from west to east, from south to north, every other one driven back. At its end the
/// robot pauses, free for others, and scans back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScanEntry {
    /// South-west corner of the area.
    pub from: Place,
    /// North-east corner of the area.
    pub to: Place,
    /// Metres between rows.
    pub spacing_m: Positive,
    /// How far along the scan it starts, in metres.
    #[serde(default = "nothing")]
    pub start_m: NonNegative,
    /// How long it pauses at each end.
    #[serde(default = "nothing")]
    pub pause_s: NonNegative,
    /// How many tasks lie on the way: one at a random place in each of as many equal parts of it.
    #[serde(default)]
    pub stops: u32,
    /// What it takes to do them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
}

pub(super) fn nothing() -> NonNegative {
    NonNegative::new(0.0).expect("zero")
}

fn is_nothing(value: &NonNegative) -> bool {
    value.get() == 0.0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A task that comes up at a given time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TaskEntry {
    /// The robot that looks after it and recruits another for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_by: Option<String>,
    /// Who can do it, and in how many seconds of work: groups or robots. All of them know of it and do it themselves.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub work_s: IndexMap<String, Positive>,
    /// It comes up when all of these tasks are done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// It is never done for good. Only whoever does it notices that it was done once more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub recurs: bool,
    /// When it comes up, at the earliest.
    #[serde(default = "nothing")]
    pub at_s: NonNegative,
    /// Where it is. Without it, where the robot that sees it is then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What it takes to do it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// How an operator asks for it, with `[tasking]`. Without a place it lies anywhere in the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderEntry>,
}

/// How long work takes.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct WorkSection {
    /// What one robot has done, another need not do again; several at one task are quicker.
    pub progress: bool,
    /// By how much a robot's time differs from one go to the next: standard deviation by mean.
    pub scatter: Probability,
}

impl Default for WorkSection {
    fn default() -> Self {
        Self { progress: false, scatter: Probability::new(0.0).expect("zero") }
    }
}

impl WorkSection {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A long box that is pushed by its ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxEntry {
    /// The task of pushing its left (west) end.
    pub left: String,
    /// The task of pushing its right (east) end.
    pub right: String,
    /// Where its left end is at first. It is pushed north.
    pub place: Place,
    /// Length of the box, in metres.
    pub length_m: Positive,
    /// How far a push moves an end.
    pub push_m: Positive,
}

/// What the robots talk over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RadioSection {
    /// Probability that a message is lost.
    pub loss: Probability,
    /// Whether a lost message is lost for everybody, or each receiver misses it on its own.
    pub loss_per: LossPerName,
    /// From transmission to delivery, in milliseconds.
    pub latency_ms: NonNegative,
    /// Up to this much more, drawn anew for each message.
    pub jitter_ms: NonNegative,
    /// How far it carries. Without it, everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range_m: Option<Positive>,
    /// Probability that a message is delivered a second time.
    pub duplication: Probability,
    /// Probability that a message is held back, so that later ones overtake it.
    pub reordering: Probability,
    /// How late second copies and overtaken messages come at most.
    pub straggle_s: NonNegative,
    /// Loss that comes in bursts (Gilbert-Elliott), on top of `loss`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bursts: Option<BurstsEntry>,
    /// When and where nothing gets through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub jam: Vec<JamEntry>,
    /// When the team is split into parts that cannot hear each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partition: Vec<PartitionEntry>,
    /// When only some pairs of robots hear each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub topology: Vec<TopologyEntry>,
}

impl Default for RadioSection {
    fn default() -> Self {
        let none = Probability::new(0.0).expect("zero");
        Self {
            loss: none,
            loss_per: LossPerName::Transmission,
            // [Gage reading] A wireless network's worth; no figure of the paper depends on it.
            latency_ms: NonNegative::new(50.0).expect("fifty"),
            jitter_ms: nothing(),
            range_m: None,
            duplication: none,
            reordering: none,
            straggle_s: NonNegative::new(5.0).expect("five"),
            bursts: None,
            jam: Vec::new(),
            partition: Vec::new(),
            topology: Vec::new(),
        }
    }
}

/// What one draw of loss decides.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LossPerName {
    /// A lost broadcast is lost for everybody.
    Transmission,
    /// Each receiver misses it on its own.
    Receiver,
}

/// Loss in bursts.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BurstsEntry {
    /// Mean length of a good spell.
    pub good_s: Positive,
    /// Mean length of a bad spell.
    pub bad_s: Positive,
    /// Probability that a message is lost in a bad spell.
    pub loss: Probability,
}

/// Nothing gets through.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JamEntry {
    /// From when.
    pub from_s: NonNegative,
    /// Until when.
    pub to_s: NonNegative,
    /// Centre of the disc in which nothing is received. Without it, everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Its radius.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius_m: Option<Positive>,
}

/// The team is split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PartitionEntry {
    /// From when.
    pub from_s: NonNegative,
    /// Until when.
    pub to_s: NonNegative,
    /// The parts: names of robots or groups. Robots that are in none form a part of their own.
    pub parts: Vec<Vec<String>>,
}

/// Only some pairs of robots hear each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TopologyEntry {
    /// From when.
    pub from_s: NonNegative,
    /// Until when.
    pub to_s: NonNegative,
    /// The pairs: robots or groups; every robot of the one hears every robot of the other.
    pub links: Vec<[String; 2]>,
}

/// One fault of one robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FaultEntry {
    /// Name of the robot.
    pub robot: String,
    /// Seconds since the beginning at which it strikes.
    pub at_s: NonNegative,
    /// What goes wrong.
    pub kind: FaultName,
    /// How long it lasts (everything but `stop` and `back`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_s: Option<Positive>,
    /// Whether a robot that starts again still knows what it remembered (`restart` and `back`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<bool>,
}

/// What goes wrong.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FaultName {
    /// It stops for good.
    Stop,
    /// Its computer hangs for a while.
    Pause,
    /// It goes down and starts again.
    Restart,
    /// It hears nothing for a while.
    Deaf,
    /// Nobody hears it for a while.
    Mute,
    /// Its radio is down for a while, and it knows.
    Offline,
    /// Whatever was wrong with it is over: it starts again if it had stopped, was down or hung, and hears and is heard.
    Back,
}
