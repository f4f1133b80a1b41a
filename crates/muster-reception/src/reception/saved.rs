//! A reception saved, to be gone on with later as if nothing had been.

use std::sync::Arc;

use crate::robot::{Command, Published, saved};
use muster_core::Time;
use muster_core::affect::Name;
use muster_core::rng::Stream;
use serde::{Deserialize, Serialize};

use super::air::Air;
use super::control::Standing;
use super::log::LogFile;
use super::{Reception, ReceptionError, Run, Told};
use crate::crowd::Crowd;

/// The first bytes: what this is, and which version of it.
const MARK: [u8; 8] = *b"mustrec1";

#[derive(Serialize, Deserialize)]
struct Saved {
    mark: [u8; 8],
    seed: u64,
    standing: Standing,
    robots: Vec<(Name, Vec<u8>)>,
    now: Time,
    crowd: Crowd,
    dice: Vec<Stream>,
    published: Arc<[Published]>,
    told: Vec<Told>,
    outbox: Vec<Command>,
    air: Air,
}

impl Reception {
    /// All that it takes to go on from here, as bytes.
    pub fn save(&self) -> Result<Vec<u8>, ReceptionError> {
        let run = self.run.as_ref().ok_or_else(|| self.refused("save", "press init first"))?;
        let mut robots = Vec::with_capacity(self.robots.len());
        for (robot, published) in self.robots.iter().zip(run.published.iter()) {
            let name = published.name.clone();
            let saved = robot.save().ok_or_else(|| ReceptionError::Unsaveable { name: name.clone() })?;
            robots.push((name, saved));
        }
        Ok(saved::pack(&Saved {
            mark: MARK,
            seed: self.seed,
            standing: self.standing,
            robots,
            now: run.now,
            crowd: run.crowd.clone(),
            dice: run.dice.clone(),
            published: run.published.clone(),
            told: run.told.clone(),
            outbox: run.outbox.clone(),
            air: run.air.clone(),
        }))
    }

    /// Goes on from where a reception of the same robots was saved. If there is a log file, it is written anew and holds
    /// what happens from here on.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), ReceptionError> {
        let not_ours = |why: String| ReceptionError::NotSaved { why };
        let saved: Saved = saved::unpack(bytes).map_err(|garbled| not_ours(garbled.to_string()))?;
        if saved.mark != MARK {
            return Err(not_ours("it is something else, or of another version".to_owned()));
        }
        let (names, ours) =
            (saved.robots.iter().map(|(name, _)| name), self.robots.iter().map(|robot| robot.get_name()));
        let fits = saved.robots.len() == self.robots.len() && names.zip(ours).all(|(saved, ours)| *saved == ours);
        if !fits || [saved.dice.len(), saved.published.len(), saved.told.len()] != [self.robots.len(); 3] {
            return Err(not_ours("its robots are others".to_owned()));
        }
        // A robot that cannot go on leaves nothing to go on with: from here on it is all or, until `init`, nothing.
        (self.run, self.standing) = (None, Standing::New);
        for (robot, (name, bytes)) in self.robots.iter_mut().zip(&saved.robots) {
            robot.restore(bytes).map_err(|garbled| not_ours(format!("{name}: {garbled}")))?;
        }
        let file = self.log_path.clone().map(LogFile::create).transpose()?;
        let Saved { now, crowd, dice, published, told, outbox, air, .. } = saved;
        self.run = Some(Run { now, crowd, dice, published, told, outbox, air, file, unwritten: None });
        (self.seed, self.standing) = (saved.seed, saved.standing);
        Ok(())
    }
}
