//! The scheduler: many short sponge jobs, four lanes, none idle.
//!
//! The permutation does not know what is absorbed or squeezed, nor at which rate. So a lane can
//! expand an entry of Â with SHAKE128 while its neighbour hashes the public key with SHAKE256, and
//! whenever a job ends the next one takes its lane. An operation describes its jobs as a
//! [`Schedule`]; [`Lanes::run`] does the rest.

use super::{States, WORDS, keccak_f_x4, pad};
use crate::simd::Isa;
use crate::wipe::Wipe;

/// Words that one squeeze makes available: the larger rate.
const SQUEEZED: usize = 24;

/// What runs on the lanes.
pub(crate) trait Schedule {
    /// One job, small: what it works on stays in the schedule.
    type Job;

    /// The next job for a free lane. `None` for now is not `None` for ever: the question is
    /// repeated before each permutation.
    fn next(&mut self) -> Option<Self::Job>;

    /// Advances a job after it took its lane (`permuted` is false) or after a permutation. Returns
    /// whether it wants another permutation; if not, the lane is free.
    fn advance(&mut self, job: &mut Self::Job, lane: Lane<'_>) -> bool;

    /// Whether to leave the lanes now. Their jobs stay in them.
    fn is_done(&self) -> bool;
}

/// Four states and the jobs in them.
pub(crate) struct Lanes<J> {
    states: Aligned<States<4>>,
    /// The first words of each state after the last permutation, lane by lane.
    squeezed: Aligned<[[u64; SQUEEZED]; 4]>,
    jobs: [Option<J>; 4],
}

#[repr(align(64))]
struct Aligned<T>(T);

/// A job's view of its lane.
pub(crate) struct Lane<'a> {
    states: &'a mut States<4>,
    squeezed: &'a [u64; SQUEEZED],
    lane: usize,
    /// Whether a permutation has passed since the job took the lane.
    pub(crate) permuted: bool,
}

impl Lane<'_> {
    /// Starts a sponge: absorbs a message that is shorter than `rate`, and its padding.
    #[inline]
    pub(crate) fn start(&mut self, message: &[u8], rate: usize) {
        let (words, rest) = message.as_chunks();
        let mut tail = [0; 8];
        tail[..rest.len()].copy_from_slice(rest);
        for (i, word) in self.states.iter_mut().enumerate() {
            word[self.lane] = match words.get(i) {
                Some(bytes) => u64::from_le_bytes(*bytes),
                None if i == words.len() => u64::from_le_bytes(tail),
                None => 0,
            };
        }
        pad(self.states, self.lane, message.len(), rate);
    }

    /// Starts a sponge from a state that [`save`](Self::save) put aside.
    #[inline]
    pub(crate) fn restore(&mut self, state: &States<1>) {
        for (to, from) in self.states.iter_mut().zip(state) {
            to[self.lane] = from[0];
        }
    }

    /// Puts the state aside, so that the lane is free for other jobs.
    #[inline]
    pub(crate) fn save(&self, state: &mut States<1>) {
        for (to, from) in state.iter_mut().zip(self.states.iter()) {
            to[0] = from[self.lane];
        }
    }

    /// Absorbs a whole block.
    #[inline]
    pub(crate) fn absorb_block(&mut self, block: &[u8]) {
        for (word, bytes) in self.states.iter_mut().zip(block.as_chunks().0) {
            word[self.lane] ^= u64::from_le_bytes(*bytes);
        }
    }

    /// Absorbs the rest of a message, less than a block of `rate` bytes, and the padding.
    #[inline]
    pub(crate) fn absorb_last(&mut self, rest: &[u8], rate: usize) {
        self.absorb_block(rest);
        let (words, tail) = rest.as_chunks::<8>();
        for (i, byte) in tail.iter().enumerate() {
            self.states[words.len()][self.lane] ^= u64::from(*byte) << (8 * i);
        }
        pad(self.states, self.lane, rest.len(), rate);
    }

    /// The first bytes of the block that the last permutation yielded, whole words.
    #[inline]
    pub(crate) fn squeeze(&self, block: &mut [u8]) {
        for (to, word) in block.as_chunks_mut().0.iter_mut().zip(self.squeezed) {
            *to = word.to_le_bytes();
        }
    }
}

impl<J> Lanes<J> {
    /// Four free lanes.
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            states: Aligned([[0; 4]; WORDS]),
            squeezed: Aligned([[0; SQUEEZED]; 4]),
            jobs: [const { None }; 4],
        }
    }

    /// Runs jobs until the schedule is done or no lane has one.
    pub(crate) fn run<I: Isa, S: Schedule<Job = J>>(&mut self, isa: I, schedule: &mut S) {
        while !schedule.is_done() {
            let mut active = 0;
            for lane in 0..4 {
                if self.jobs[lane].is_none() {
                    self.refill(schedule, lane);
                }
                active |= u8::from(self.jobs[lane].is_some()) << lane;
            }
            if active == 0 {
                return;
            }
            keccak_f_x4(isa, &mut self.states.0, active);
            squeeze_x4(isa, &self.states.0, &mut self.squeezed.0);
            for lane in 0..4 {
                self.advance(schedule, lane, true);
            }
        }
    }

    /// Gives a free lane to the next job that has something to permute.
    #[inline]
    fn refill<S: Schedule<Job = J>>(&mut self, schedule: &mut S, lane: usize) {
        while let Some(job) = schedule.next() {
            self.jobs[lane] = Some(job);
            self.advance(schedule, lane, false);
            if self.jobs[lane].is_some() {
                return;
            }
        }
    }

    #[inline]
    fn advance<S: Schedule<Job = J>>(&mut self, schedule: &mut S, lane: usize, permuted: bool) {
        if let Some(job) = &mut self.jobs[lane] {
            let view = Lane {
                states: &mut self.states.0,
                squeezed: &self.squeezed.0[lane],
                lane,
                permuted,
            };
            if !schedule.advance(job, view) {
                self.jobs[lane] = None;
            }
        }
    }
}

impl<J> Drop for Lanes<J> {
    fn drop(&mut self) {
        self.states.0.wipe();
        self.squeezed.0.wipe();
    }
}

/// Writes the first words of each state one after the other.
fn squeeze_x4<I: Isa>(isa: I, states: &States<4>, squeezed: &mut [[u64; SQUEEZED]; 4]) {
    isa.outline(
        #[inline(always)]
        || {
            for (i, rows) in states.as_chunks::<4>().0.iter().enumerate() {
                let columns = isa.transpose(rows);
                squeezed[0].as_chunks_mut::<4>().0[i] = columns[0];
                squeezed[1].as_chunks_mut::<4>().0[i] = columns[1];
                squeezed[2].as_chunks_mut::<4>().0[i] = columns[2];
                squeezed[3].as_chunks_mut::<4>().0[i] = columns[3];
            }
        },
    );
}
