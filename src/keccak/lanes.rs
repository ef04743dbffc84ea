//! The scheduler: many short sponge jobs, four lanes, none idle.
//!
//! The permutation does not know what is absorbed or squeezed, nor at which rate. So a lane can
//! expand an entry of Â with SHAKE128 while its neighbour hashes the public key with SHAKE256, and
//! whenever a job ends the next one takes its lane. An operation describes its jobs as a
//! [`Schedule`]; [`Lanes::run`] does the rest.
//!
//! A job is asked only when there is something for it to decide: it absorbs a block and says how
//! many blocks it wants to see squeezed; they are collected in its lane's buffer.

use super::{Between, RATE_128, RATE_256, States, WORDS, keccak_f_x4, pad};
use crate::simd::Isa;
use crate::wipe::Wipe;

/// The most blocks that a job may ask for at once.
pub(crate) const MAX_BLOCKS: usize = 5;

/// Bytes that are stored for a block: words are transposed four by four, so a few too many.
const STORED: usize = 8 * 24;

/// Bytes of a buffer.
const BUFFER_LEN: usize = (MAX_BLOCKS - 1) * RATE_128 + STORED;

/// Where the blocks of a job are collected.
pub(crate) type Buffer = [u8; BUFFER_LEN];

/// What runs on the lanes.
pub(crate) trait Schedule {
    /// One job, small: what it works on stays in the schedule.
    type Job: Copy;

    /// The next job for the free lane number `lane`. `None` for now is not `None` for ever: the
    /// question is repeated before each permutation.
    fn next(&mut self, lane: usize) -> Option<Self::Job>;

    /// Advances a job that has just taken its lane, or whose blocks are there.
    fn advance(&mut self, job: &mut Self::Job, lane: Lane<'_>) -> Want;

    /// The number of the buffer for the blocks of a job: that of its lane, or one beyond the four
    /// that no other job has.
    fn buffer(&self, _job: &Self::Job, lane: usize) -> usize {
        lane
    }

    /// Whether to leave the lanes now. Their jobs stay in them.
    fn is_done(&self) -> bool;
}

/// What a job wants next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    /// Nothing: the lane is free.
    Nothing,
    /// Permutations, and after each of them a block of `rate` bytes; at most [`MAX_BLOCKS`].
    Blocks { count: usize, rate: usize },
}

/// Four states and the jobs in them, with `B` buffers.
pub(crate) struct Lanes<J, const B: usize> {
    states: Aligned<States<4>>,
    between: Between<4>,
    /// What is squeezed.
    buffers: Aligned<[Buffer; B]>,
    /// The job of each lane.
    jobs: [Option<J>; 4],
    /// Blocks yet to be squeezed for it; 0 in a free lane.
    counts: [usize; 4],
    /// The length of a block; 0 in a free lane.
    rates: [usize; 4],
    /// The number of the buffer.
    places: [usize; 4],
    /// Where in the buffer the next block goes.
    offsets: [usize; 4],
}

#[repr(align(64))]
struct Aligned<T>(T);

/// A job's view of its lane.
pub(crate) struct Lane<'a> {
    states: &'a mut States<4>,
    lane: usize,
    /// The blocks that the job asked for, one after the other; `None` when it is new in the lane.
    pub(crate) blocks: Option<&'a Buffer>,
}

impl Lane<'_> {
    /// Starts a sponge: absorbs a message that is shorter than `rate`, and its padding.
    #[inline]
    pub(crate) fn start(&mut self, message: &[u8], rate: usize) {
        self.clear();
        self.absorb_last(message, rate);
    }

    /// Starts a sponge with `prefix` (whole words) and a number of two bytes, which is what all the
    /// standard's seeds for polynomials look like.
    #[inline]
    pub(crate) fn start_numbered<const N: usize>(
        &mut self,
        prefix: &[u8; N],
        number: u16,
        rate: usize,
    ) {
        const { assert!(N & 7 == 0 && N + 8 < RATE_256) };
        let mut state = self.states.iter_mut();
        for (words, bytes) in state.by_ref().zip(prefix.as_chunks().0) {
            words[self.lane] = u64::from_le_bytes(*bytes);
        }
        for words in state {
            words[self.lane] = 0;
        }
        self.states[N >> 3][self.lane] = number.into();
        pad(self.states, self.lane, N + 2, rate);
    }

    /// Starts a sponge with nothing absorbed.
    #[inline]
    pub(crate) fn clear(&mut self) {
        for words in self.states.iter_mut() {
            words[self.lane] = 0;
        }
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

    /// Absorbs whole words.
    #[inline]
    pub(crate) fn absorb_block(&mut self, block: &[u8]) {
        for (words, bytes) in self.states.iter_mut().zip(block.as_chunks().0) {
            words[self.lane] ^= u64::from_le_bytes(*bytes);
        }
    }

    /// Absorbs the rest of a message, less than a block of `rate` bytes, and the padding.
    #[inline]
    pub(crate) fn absorb_last(&mut self, rest: &[u8], rate: usize) {
        self.absorb_block(rest);
        let (words, tail) = rest.as_chunks::<8>();
        let mut last = [0; 8];
        for (to, byte) in last.iter_mut().zip(tail) {
            *to = *byte;
        }
        self.states[words.len()][self.lane] ^= u64::from_le_bytes(last);
        pad(self.states, self.lane, rest.len(), rate);
    }
}

impl<J: Copy, const B: usize> Lanes<J, B> {
    /// Four free lanes.
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            states: Aligned([[0; 4]; WORDS]),
            between: Between::new(),
            buffers: Aligned([[0; BUFFER_LEN]; B]),
            jobs: [None; 4],
            counts: [0; 4],
            rates: [0; 4],
            places: [0, 1, 2, 3],
            offsets: [0; 4],
        }
    }

    /// The buffer number `index`.
    #[inline]
    pub(crate) fn buffer(&self, index: usize) -> &Buffer {
        &self.buffers.0[index]
    }

    /// Runs jobs until the schedule is done or no lane has one.
    pub(crate) fn run<I: Isa, S: Schedule<Job = J>>(&mut self, isa: I, schedule: &mut S) {
        while !schedule.is_done() {
            for lane in 0..4 {
                self.refill(schedule, lane);
            }
            let busy = self.counts.map(|count| count > 0);
            let active = (0..4).fold(0, |set, lane| set | u8::from(busy[lane]) << lane);
            if active == 0 {
                return;
            }
            // No job has to be asked before one of them has all its blocks. A free lane is offered
            // after each permutation.
            let rounds = if active == 0b1111 {
                self.counts.into_iter().fold(MAX_BLOCKS, usize::min)
            } else {
                1
            };
            for _ in 0..rounds {
                keccak_f_x4(isa, &mut self.states.0, &mut self.between, active);
                self.squeeze(isa);
            }
            for (lane, busy) in busy.into_iter().enumerate() {
                if busy {
                    self.counts[lane] -= rounds;
                    if self.counts[lane] == 0 {
                        self.advance(schedule, lane, true);
                        // At once, not before the permutation: its vector loads would have to wait
                        // for the stores of single words that a new job makes.
                        if !schedule.is_done() {
                            self.refill(schedule, lane);
                        }
                    }
                }
            }
        }
    }

    /// Gives a free lane to the next job that has something to permute.
    #[inline]
    fn refill<S: Schedule<Job = J>>(&mut self, schedule: &mut S, lane: usize) {
        while self.counts[lane] == 0 {
            self.jobs[lane] = schedule.next(lane);
            if self.jobs[lane].is_none() {
                return;
            }
            self.advance(schedule, lane, false);
        }
    }

    /// Asks the job of a lane what it wants next.
    #[inline]
    fn advance<S: Schedule<Job = J>>(&mut self, schedule: &mut S, lane: usize, old: bool) {
        let Some(job) = &mut self.jobs[lane] else {
            return;
        };
        let place = schedule.buffer(job, lane);
        let view = Lane {
            states: &mut self.states.0,
            lane,
            blocks: old.then_some(&self.buffers.0[place]),
        };
        (self.counts[lane], self.rates[lane], self.places[lane]) = match schedule.advance(job, view)
        {
            Want::Nothing => (0, 0, lane),
            Want::Blocks { count, rate } => (count, rate, place),
        };
        self.offsets[lane] = 0;
    }

    /// Stores a block for each lane.
    #[inline]
    fn squeeze<I: Isa>(&mut self, isa: I) {
        if let Ok(buffers) = self.buffers.0.get_disjoint_mut(self.places) {
            squeeze_x4(isa, &self.states.0, buffers, self.offsets);
        }
        for (offset, rate) in self.offsets.iter_mut().zip(self.rates) {
            *offset += rate;
        }
    }
}

impl<J, const B: usize> Drop for Lanes<J, B> {
    fn drop(&mut self) {
        self.states.0.as_flattened_mut().wipe();
        self.between.wipe();
        self.buffers.0.as_flattened_mut().wipe();
    }
}

/// Four sponges in step, for jobs that are all alike and have nothing beside them: no scheduler has to
/// be asked. Not wiped: for public data.
pub(crate) struct Quartet {
    states: Aligned<States<4>>,
    between: Between<4>,
    buffers: Aligned<[Buffer; 4]>,
}

impl Quartet {
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            states: Aligned([[0; 4]; WORDS]),
            between: Between::new(),
            buffers: Aligned([[0; BUFFER_LEN]; 4]),
        }
    }

    /// Starts all four with `prefix` (whole words) and a number of two bytes each.
    #[inline]
    pub(crate) fn start_numbered<const N: usize>(
        &mut self,
        prefix: &[u8; N],
        numbers: [u16; 4],
        rate: usize,
    ) {
        const { assert!(N & 7 == 0 && N + 8 < RATE_256) };
        let states = &mut self.states.0;
        *states = [[0; 4]; WORDS];
        for (words, bytes) in states.iter_mut().zip(prefix.as_chunks().0) {
            *words = [u64::from_le_bytes(*bytes); 4];
        }
        states[N >> 3] = numbers.map(u64::from);
        for lane in 0..4 {
            pad(states, lane, N + 2, rate);
        }
    }

    /// Squeezes `count` blocks, at most [`MAX_BLOCKS`], of the sponges that `active` has a bit for;
    /// returns them, one after the other.
    #[inline]
    pub(crate) fn squeeze<I: Isa>(
        &mut self,
        isa: I,
        active: u8,
        count: usize,
        rate: usize,
    ) -> &[Buffer; 4] {
        for block in 0..count {
            keccak_f_x4(isa, &mut self.states.0, &mut self.between, active);
            let buffers = self.buffers.0.each_mut();
            squeeze_x4(isa, &self.states.0, buffers, [block * rate; 4]);
        }
        &self.buffers.0
    }
}

/// Stores the first words of each state, lane by lane, at the offsets given.
fn squeeze_x4<I: Isa>(isa: I, states: &States<4>, buffers: [&mut Buffer; 4], offsets: [usize; 4]) {
    isa.outline(
        #[inline(always)]
        || {
            let [b0, b1, b2, b3] = buffers;
            let to = [
                block_at(b0, offsets[0]),
                block_at(b1, offsets[1]),
                block_at(b2, offsets[2]),
                block_at(b3, offsets[3]),
            ];
            let [t0, t1, t2, t3] = to.map(|block| block.as_chunks_mut::<32>().0);
            let rows = states.as_chunks::<4>().0.iter();
            for ((((rows, t0), t1), t2), t3) in rows.zip(t0).zip(t1).zip(t2).zip(t3) {
                isa.transpose(rows, [t0, t1, t2, t3]);
            }
        },
    );
}

/// The place for a block; the offset is within the buffer by the bounds of [`Want::Blocks`].
#[inline(always)]
fn block_at(buffer: &mut Buffer, offset: usize) -> &mut [u8; STORED] {
    match buffer[offset.min(BUFFER_LEN - STORED)..].first_chunk_mut() {
        Some(block) => block,
        None => unreachable!(),
    }
}
