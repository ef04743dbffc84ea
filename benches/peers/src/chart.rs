//! The results as bars: how fast each library is, ours being 1.
//!
//! A column for each parameter set, a row of panels for each operation. No background and mid-tone
//! colours, so that the picture reads on a light and on a dark page.

use crate::contenders::NAMES;
use crate::race::{OPERATIONS, Row};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

const COLOURS: [RGBColor; 6] = [
    RGBColor(0xE0, 0x5A, 0x1E),
    RGBColor(0x2F, 0x80, 0xC8),
    RGBColor(0x1F, 0x9E, 0x89),
    RGBColor(0x8E, 0x6B, 0xC4),
    RGBColor(0xB0, 0x85, 0x1A),
    RGBColor(0x8A, 0x8F, 0x98),
];
const TEXT: RGBColor = RGBColor(0x85, 0x85, 0x85);
const FONT: &str = "sans-serif";

const WIDTH: i32 = 880;
const MARGIN: i32 = 12;
const HEADER: i32 = 84;
const TITLE: i32 = 26;
const BAR: i32 = 13;
const PANEL: i32 = TITLE + BAR * NAMES.len() as i32 + 10;
/// What a bar leaves for the figure at its end.
const FIGURE: i32 = 60;

/// Draws the chart.
pub fn svg(rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut sets: Vec<&str> = rows.iter().map(|row| row.set).collect();
    sets.dedup();
    let column = (WIDTH - 2 * MARGIN) / i32::try_from(sets.len().max(1))?;
    let results = rows.iter().flat_map(|row| &row.results);
    let fastest = results.map(|result| 1.0 / result.ratio).fold(1.0, f64::max);
    let scale = f64::from(column - FIGURE) / fastest;
    let height = HEADER + PANEL * OPERATIONS.len() as i32;

    let mut svg = String::new();
    let size = (u32::try_from(WIDTH)?, u32::try_from(height)?);
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let text = |what: &str, at: (i32, i32), size: i32| {
        let style = (FONT, size).into_font().color(&TEXT);
        area.draw(&Text::new(
            what.to_owned(),
            at,
            style.pos(Pos::new(HPos::Left, VPos::Center)),
        ))
    };
    let title =
        "Speed, mldsa-simd = 1: longer is faster. Beside each bar, an operation's time in µs.";
    text(title, (MARGIN, 18), 17)?;
    let mut x = MARGIN;
    for (name, colour) in NAMES.iter().zip(COLOURS) {
        area.draw(&Rectangle::new([(x, 38), (x + 11, 49)], colour.filled()))?;
        text(name, (x + 16, 44), 15)?;
        x += 44 + 8 * i32::try_from(name.len())?;
    }
    for (set, x) in sets
        .iter()
        .zip((MARGIN..).step_by(usize::try_from(column)?))
    {
        text(set, (x, 70), 17)?;
        for (operation, top) in OPERATIONS.iter().zip((HEADER..).step_by(PANEL as usize)) {
            let Some(row) = rows
                .iter()
                .find(|r| r.set == *set && r.operation == *operation)
            else {
                continue;
            };
            text(operation, (x, top + TITLE / 2), 15)?;
            let mut y = top + TITLE;
            for result in &row.results {
                let colour = NAMES
                    .iter()
                    .zip(COLOURS)
                    .find(|(name, _)| **name == result.name);
                let (_, colour) = colour.ok_or("a result of nobody")?;
                let end = x + (scale / result.ratio).round() as i32;
                area.draw(&Rectangle::new(
                    [(x, y + 1), (end, y + BAR - 1)],
                    colour.filled(),
                ))?;
                text(&format!("{:.1}", result.time), (end + 5, y + BAR / 2), 13)?;
                y += BAR;
            }
        }
    }
    area.present()?;
    drop(area);
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::svg;
    use crate::race::{Outcome, Row};

    #[test]
    fn a_bar_is_as_long_as_its_speed() {
        let outcome = |name, ratio| Outcome {
            name,
            time: 10.0 * ratio,
            ratio,
            percentiles: None,
        };
        let results = vec![outcome("mldsa-simd", 1.0), outcome("ml-dsa", 4.0)];
        let picture = svg(&[Row {
            set: "ML-DSA-65",
            operation: "keygen",
            results,
        }])
        .unwrap();
        let widths: Vec<i32> = picture
            .lines()
            .filter(|line| line.starts_with("<rect") && !line.contains(r#"width="11""#))
            .map(|line| {
                line.split("width=\"")
                    .nth(1)
                    .unwrap()
                    .split('"')
                    .next()
                    .unwrap()
            })
            .map(|width| width.parse().unwrap())
            .collect();
        assert_eq!(widths.len(), 2);
        assert!((widths[0] - 4 * widths[1]).abs() <= 2, "{widths:?}");
        assert!(picture.contains("40.0"));
    }
}
