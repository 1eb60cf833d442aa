//! Fold arithmetic: time to y and back is exact.

use highwater_core::kafka::ids::Millis;
use highwater_core::sim::Instant;

use super::super::clock::{Clock, LONGEST_PAUSE, SegmentKind};
use super::super::shape::px;
use super::super::view::View;
use super::super::words::FoldReason;
use super::{draw, samples, views};

fn clock(script: &str) -> Clock {
    draw(script, &View::wide(1072)).1.clock
}

#[test]
fn y_to_instant_to_y_is_exact_in_folds_and_to_the_millisecond_in_spans() {
    for (name, script) in samples::ALL {
        for view in views() {
            let clock = draw(script, &view).1.clock;
            for y in clock.top()..=clock.bottom() {
                let back = clock.y(clock.instant(y).at);
                // Where a millisecond is taller than a tenth only whole ones are instants: at most half of one is lost.
                let segments = clock.segments().iter();
                let here = segments.filter(|s| s.top <= y && y <= s.bottom);
                let each = here.map(|s| {
                    let span = i32::try_from(s.to.0 - s.from.0).expect("samples are short");
                    (s.bottom - s.top + span - 1) / span
                });
                let tallest = each.max().unwrap_or(0);
                let slack = if tallest > 1 { tallest / 2 + 1 } else { 0 };
                let lost = (back - y).abs();
                assert!(lost <= slack, "{name}: {y} came back as {back}");
            }
        }
    }
}

#[test]
fn an_instant_of_a_span_comes_back_exactly() {
    for (name, script) in samples::ALL {
        let clock = clock(script);
        for segment in clock
            .segments()
            .iter()
            .filter(|s| s.kind == SegmentKind::Span)
        {
            for t in segment.from.0 + 1..segment.to.0 {
                assert_eq!(clock.instant(clock.y(Millis(t))).at, Millis(t), "{name}");
            }
        }
    }
}

#[test]
fn segments_join_and_time_never_runs_up() {
    for (name, script) in samples::ALL {
        let clock = clock(script);
        for pair in clock.segments().windows(2) {
            assert_eq!(pair[0].to, pair[1].from, "{name}");
            assert_eq!(pair[0].bottom, pair[1].top, "{name}");
        }
        let ys: Vec<i32> = (0..=clock.end().0)
            .step_by(7)
            .map(|t| clock.y(Millis(t)))
            .collect();
        assert!(ys.is_sorted(), "{name}");
    }
}

#[test]
fn a_long_pause_is_30_px_with_its_true_duration_and_reason() {
    let clock = clock(samples::LOST);
    let folds: Vec<(u64, i32, SegmentKind)> = clock
        .folds()
        .map(|s| (s.pause.0, s.bottom - s.top, s.kind))
        .collect();
    assert!(folds.iter().all(|f| f.0 > LONGEST_PAUSE && f.1 == px(30)));
    let silent = SegmentKind::Folded(FoldReason::BrokerSilent(
        highwater_core::kafka::ids::BrokerId(1),
    ));
    assert!(folds.iter().any(|f| f.2 == silent), "{folds:?}");
    let parked = SegmentKind::Folded(FoldReason::FetchesParked);
    assert!(folds.iter().any(|f| f.2 == parked), "{folds:?}");
}

#[test]
fn a_fold_that_is_opened_is_linear_and_everything_below_moves_down() {
    let (run, closed) = draw(samples::LOST, &View::wide(1072));
    let fold = *closed.clock.folds().next().expect("there is a fold");
    let mut view = View::wide(1072);
    view.unfolded.insert(fold.from);
    let (_, opened) = draw(samples::LOST, &view);
    let segment = opened
        .clock
        .folds()
        .find(|s| s.from == fold.from)
        .expect("it is still there");
    assert!(matches!(segment.kind, SegmentKind::Opened(_)));
    let grown = (segment.bottom - segment.top) - (fold.bottom - fold.top);
    assert!(grown > px(100));
    assert_eq!(opened.clock.y(run.end) - closed.clock.y(run.end), grown);
}

#[test]
fn stops_go_forward_and_back_through_the_same_events() {
    for (name, script) in samples::ALL {
        let clock = clock(script);
        let mut forward = Vec::new();
        let mut now = Instant::default();
        while let Some(stop) = clock.next(now) {
            forward.push(stop);
            now = stop.instant;
        }
        let mut back = vec![];
        let mut now = Instant {
            at: Millis(u64::MAX),
            position: 0,
        };
        while let Some(stop) = clock.previous(now) {
            back.push(stop);
            now = stop.instant;
        }
        back.reverse();
        assert_eq!(forward, back, "{name}");
        assert_eq!(forward, clock.stops(), "{name}");
    }
}

#[test]
fn the_scrubber_has_the_same_folds() {
    let clock = clock(samples::LOST);
    let length = px(300);
    assert_eq!(clock.scrub(Millis(0), length), 0);
    assert_eq!(clock.scrub(clock.end(), length), length);
    for stop in clock.stops() {
        let place = clock.scrub(stop.instant.at, length);
        let back = clock.unscrub(place, length).at;
        // One tenth of the scrubber is less than one ms of a span here.
        assert!(back.0.abs_diff(stop.instant.at.0) <= 1, "{stop:?} {back:?}");
    }
}

#[test]
fn a_run_of_a_minute_without_a_pause_takes_a_smaller_scale() {
    let mut script = String::from("title long\n");
    for nth in 0..400 {
        script.push_str(&format!("at {}ms produce\n", nth * 15));
    }
    let clock = clock(&script);
    assert!(clock.rate() < 74, "{}", clock.rate());
    assert!(clock.bottom() <= super::super::clock::TALL + px(200));
}
