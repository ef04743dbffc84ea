//! Timing: all contenders in turn, round after round, on the same work.

use crate::contenders::{Contender, Run};
use std::time::Instant;

/// The operations, in the order of tables and charts.
pub const OPERATIONS: [&str; 5] = [
    "keygen",
    "sign, key from bytes",
    "sign, key held",
    "verify, key from bytes",
    "verify, key held",
];

/// One operation of one parameter set.
pub struct Row {
    pub set: &'static str,
    pub operation: &'static str,
    pub results: Vec<Outcome>,
}

/// What one library did.
pub struct Outcome {
    pub name: &'static str,
    /// µs per operation: see `Times`.
    pub time: f64,
    /// This library's time ÷ ours.
    pub ratio: f64,
    /// 50th, 90th and 99th percentile in µs, for signing.
    pub percentiles: Option<[f64; 3]>,
}

/// Races the contenders in one operation over `items` pieces of work.
pub fn race(
    set: &'static str,
    operation: &'static str,
    contenders: &mut [Contender<'_>],
    items: usize,
    rounds: usize,
) -> Row {
    // laps[contender][round][item]
    let mut laps: Vec<Vec<Vec<f64>>> = contenders.iter().map(|_| Vec::new()).collect();
    for round in 0..=rounds {
        // Nobody always follows the same neighbour's footprints in the caches.
        for turn in 0..contenders.len() {
            let who = (turn + round) % contenders.len();
            let run = operation_of(&mut contenders[who], operation);
            let lap: Vec<f64> = (0..items)
                .map(|item| {
                    let start = Instant::now();
                    run(item);
                    start.elapsed().as_secs_f64() * 1e6
                })
                .collect();
            // Round 0 warms up.
            if round > 0 {
                laps[who].push(lap);
            }
        }
    }
    let times: Vec<Times> = contenders
        .iter()
        .zip(laps)
        .map(|(contender, laps)| Times::new(&laps, contender.deterministic || !signs(operation)))
        .collect();
    let ours = times[0].mean;
    let results = contenders
        .iter()
        .zip(&times)
        .map(|(contender, times)| Outcome {
            name: contender.name,
            time: times.mean,
            ratio: times.mean / ours,
            percentiles: signs(operation).then(|| times.percentiles()),
        })
        .collect();
    Row {
        set,
        operation,
        results,
    }
}

fn signs(operation: &str) -> bool {
    operation.starts_with("sign")
}

/// What the laps of a contender come to.
struct Times {
    mean: f64,
    samples: Vec<f64>,
}

impl Times {
    /// Work that takes the same course each time has a typical time for each item, the median over
    /// the rounds, free of the machine's noise; the figure is their mean over the items. Otherwise
    /// every call is a sample, and the figure is the median over the rounds of the mean of a lap.
    fn new(laps: &[Vec<f64>], same_each_time: bool) -> Self {
        if same_each_time {
            let of_item = |item| quantile(laps.iter().map(|lap| lap[item]).collect(), 0.5);
            let samples: Vec<f64> = (0..laps[0].len()).map(of_item).collect();
            Self {
                mean: mean(&samples),
                samples,
            }
        } else {
            Self {
                mean: quantile(laps.iter().map(|lap| mean(lap)).collect(), 0.5),
                samples: laps.concat(),
            }
        }
    }

    fn percentiles(&self) -> [f64; 3] {
        [0.50, 0.90, 0.99].map(|q| quantile(self.samples.clone(), q))
    }
}

fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

fn operation_of<'a, 'w>(contender: &'a mut Contender<'w>, operation: &str) -> &'a mut Run<'w> {
    match operation {
        "keygen" => &mut contender.keygen,
        "sign, key from bytes" => &mut contender.sign_bytes,
        "sign, key held" => &mut contender.sign_held,
        "verify, key from bytes" => &mut contender.verify_bytes,
        "verify, key held" => &mut contender.verify_held,
        _ => unreachable!("one of OPERATIONS"),
    }
}

/// The nearest-rank quantile.
pub fn quantile(mut samples: Vec<f64>, q: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let rank = (q * samples.len() as f64).ceil() as usize;
    samples[rank.clamp(1, samples.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::{Times, quantile};

    #[test]
    fn noise_in_one_round_does_not_count() {
        let laps = [vec![1.0, 5.0], vec![1.0, 900.0], vec![700.0, 5.0]];
        assert_eq!(Times::new(&laps, true).mean, 3.0);
        assert_eq!(Times::new(&laps, false).mean, 352.5);
        assert_eq!(Times::new(&laps, true).percentiles(), [1.0, 5.0, 5.0]);
    }

    #[test]
    fn quantiles_are_nearest_ranks() {
        let samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(quantile(samples.clone(), 0.5), 50.0);
        assert_eq!(quantile(samples.clone(), 0.99), 99.0);
        assert_eq!(quantile(samples, 1.0), 100.0);
        assert_eq!(quantile(vec![3.0], 0.5), 3.0);
    }
}
