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
    /// µs per operation: the median over rounds of the mean over the work.
    pub time: f64,
    /// Median over rounds of this library's time ÷ ours.
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
    // times[contender][round][item]
    let mut times: Vec<Vec<Vec<f64>>> = contenders.iter().map(|_| Vec::new()).collect();
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
                times[who].push(lap);
            }
        }
    }
    let mean = |lap: &Vec<f64>| lap.iter().sum::<f64>() / lap.len() as f64;
    let means: Vec<Vec<f64>> = times
        .iter()
        .map(|laps| laps.iter().map(mean).collect())
        .collect();
    let results = contenders
        .iter()
        .enumerate()
        .map(|(who, contender)| Outcome {
            name: contender.name,
            time: quantile(means[who].clone(), 0.5),
            ratio: quantile(
                means[who]
                    .iter()
                    .zip(&means[0])
                    .map(|(a, b)| a / b)
                    .collect(),
                0.5,
            ),
            percentiles: operation
                .starts_with("sign")
                .then(|| percentiles(&times[who], contender.deterministic)),
        })
        .collect();
    Row {
        set,
        operation,
        results,
    }
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

/// The spread that rejections cause. A deterministic signer takes the same attempts each time, so
/// its time for a message is the median over rounds, free of the machine's noise; for the others
/// every call is a sample.
fn percentiles(laps: &[Vec<f64>], deterministic: bool) -> [f64; 3] {
    let samples: Vec<f64> = if deterministic {
        let of_item = |item| quantile(laps.iter().map(|lap| lap[item]).collect(), 0.5);
        (0..laps[0].len()).map(of_item).collect()
    } else {
        laps.concat()
    };
    [0.50, 0.90, 0.99].map(|q| quantile(samples.clone(), q))
}

/// The nearest-rank quantile.
pub fn quantile(mut samples: Vec<f64>, q: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let rank = (q * samples.len() as f64).ceil() as usize;
    samples[rank.clamp(1, samples.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_nearest_ranks() {
        let samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(quantile(samples.clone(), 0.5), 50.0);
        assert_eq!(quantile(samples.clone(), 0.99), 99.0);
        assert_eq!(quantile(samples, 1.0), 100.0);
        assert_eq!(quantile(vec![3.0], 0.5), 3.0);
    }
}
