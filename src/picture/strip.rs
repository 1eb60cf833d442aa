//! Partition strip: one lane a broker. Thick ink = leads, hue = in the ISR, hollow = in the ELR, dots = neither,
//! cross = down. Words stand beside the lanes where something changed.

use highwater_core::kafka::event::EventKind;
use highwater_core::kafka::ids::{BrokerSet, Millis};
use highwater_core::kafka::partition::PartitionState;
use highwater_core::kafka::sort;

use super::TargetArea;
use super::class::{Class, Look};
use super::frame::Room;
use super::history::StateChange;
use super::label::{LINE, Label, Rank};
use super::replica::Replica;
use super::series::Interval;
use super::shape::{Glyph, Subject, Tenths, at, edges, glyph, line, px, rect};
use super::sheet::{Scene, Sheet, id, replica_hue};
use super::view::Target;
use super::words::Word;

/// Draws the strip.
pub fn draw(scene: &Scene<'_>, sheet: &mut Sheet) {
    for replica in &scene.history.replicas {
        lane(scene, sheet, replica);
        whole_lane(scene, sheet, replica);
    }
    changes(scene, sheet);
    stops(scene, sheet);
}

/// Middle of a broker's lane.
pub fn middle(scene: &Scene<'_>, place: usize) -> Tenths {
    let lane = scene.frame.lane;
    scene.frame.strip + lane * i32::try_from(place).unwrap_or(0) + lane / 2
}

/// A broker can be taken by its lane, from the beginning of the clock to its end.
fn whole_lane(scene: &Scene<'_>, sheet: &mut Sheet, replica: &Replica) {
    let (x, half) = (middle(scene, replica.place), scene.frame.lane / 2);
    let (top, bottom) = (scene.y(Millis(0)), scene.to_y(scene.history.end));
    sheet.targets.push(TargetArea {
        target: Target::Lane(replica.broker),
        area: edges(x - half, top, x + half, bottom),
        subject: subject(replica),
        label: String::new(),
    });
}

/// What a broker is to the partition for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Role {
    alive: bool,
    leads: bool,
    isr: bool,
    elr: bool,
    last_known: bool,
}

fn role(replica: &Replica, state: &PartitionState, t: Millis) -> Role {
    let alive = replica.is_alive(t);
    Role {
        alive,
        leads: alive && state.leader == Some(replica.broker),
        isr: alive && state.isr.contains(replica.broker),
        elr: state.elr.contains(replica.broker),
        last_known: state.leader.is_none() && state.last_known_elr.contains(&replica.broker),
    }
}

fn lane(scene: &Scene<'_>, sheet: &mut Sheet, replica: &Replica) {
    let history = scene.history;
    let mut cuts: Vec<Millis> = history.states.iter().map(|s| s.at).collect();
    cuts.extend(replica.alive.iter().flat_map(|i| [i.from, i.to]));
    cuts.push(Millis(0));
    cuts.push(history.end);
    sort::heap(&mut cuts, |a, b| a < b);
    cuts.dedup();
    let mut pieces: Vec<(Role, Interval)> = Vec::new();
    for pair in cuts.windows(2) {
        let [from, to] = *pair else { continue };
        let Some(change) = history.state(from) else {
            continue;
        };
        let role = role(replica, &change.state, from);
        match pieces.last_mut() {
            Some((last, span)) if *last == role => span.to = to,
            _ => pieces.push((role, Interval::new(from, to))),
        }
    }
    for (nth, (role, span)) in pieces.iter().enumerate() {
        piece(scene, sheet, replica, *role, *span, nth);
    }
    for (nth, alive) in replica.alive.iter().enumerate() {
        if alive.to < history.end {
            let radius = if scene.frame.lane >= px(14) { 70 } else { 45 };
            let spot = at(middle(scene, replica.place), scene.y(alive.to));
            let label = scene.say(Word::DownAt(replica.broker, alive.to));
            let mark = glyph(
                id("down", u64::from(replica.broker.0), nth),
                Look::Dead,
                Glyph::Dead,
                spot,
                radius,
            );
            sheet.mark(mark.of(subject(replica)).label(label));
        }
    }
}

fn subject(replica: &Replica) -> Subject {
    Subject {
        broker: Some(replica.broker),
        ..Subject::default()
    }
}

fn piece(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    replica: &Replica,
    role: Role,
    span: Interval,
    nth: usize,
) {
    let x = middle(scene, replica.place);
    let (top, bottom) = (scene.y(span.from), scene.to_y(span.to));
    let hue = replica_hue(replica.place);
    let name = |part| id(part, u64::from(replica.broker.0), nth);
    let of = subject(replica);
    let half = (scene.frame.lane * 6 / 10).min(px(10)) / 2;
    let hollow = edges(x - half * 7 / 10, top, x + half * 7 / 10, bottom);
    if !role.alive {
        sheet.put(line(name("off"), Look::Down, at(x, top), at(x, bottom)).of(of));
    }
    if role.leads {
        sheet.put(
            rect(
                name("leads"),
                Look::LeaderBar,
                edges(x - half, top, x + half, bottom),
            )
            .of(of),
        );
    } else if role.isr {
        sheet.put(
            line(
                name("isr"),
                Class::hued(Look::Isr, hue),
                at(x, top),
                at(x, bottom),
            )
            .of(of),
        );
    } else if role.elr {
        sheet.put(rect(name("elr"), Class::hued(Look::Elr, hue), hollow).of(of));
    } else if role.last_known {
        sheet.put(rect(name("lastknown"), Class::hued(Look::LastKnown, hue), hollow).of(of));
        let spot = at(x + half + px(1), top + px(12));
        let label = Label::new(
            name("letter"),
            Rank::Name,
            Look::Note,
            spot,
            scene.say(Word::LastKnownLetter),
        );
        sheet.label(label.of(of).down(2));
    } else if role.alive {
        sheet.put(
            line(
                name("out"),
                Class::hued(Look::Outside, hue),
                at(x, top),
                at(x, bottom),
            )
            .of(of),
        );
    }
}

/// The words of each change of the partition.
fn changes(scene: &Scene<'_>, sheet: &mut Sheet) {
    let mut before: Option<&PartitionState> = None;
    for (nth, change) in scene.history.states.iter().enumerate() {
        let lines = lines(scene, before, &change.state);
        for (words, _) in &lines {
            let subject = Subject {
                event: change.event,
                ..Subject::default()
            };
            sheet.note(change.at, change.event, subject, words.clone());
        }
        put_lines(scene, sheet, change, before, lines, nth);
        before = Some(&change.state);
    }
}

fn put_lines(
    scene: &Scene<'_>,
    sheet: &mut Sheet,
    change: &StateChange,
    before: Option<&PartitionState>,
    lines: Vec<(String, bool)>,
    nth: usize,
) {
    let frame = scene.frame;
    let subject = Subject {
        event: change.event,
        ..Subject::default()
    };
    let spot = at(frame.strip_words, scene.y(change.at) + px(11));
    let right = frame.strip_words + frame.strip_room + px(10);
    let right = right.min(scene.panel(super::view::Panel::Acks).left());
    if matches!(frame.room, Room::Full | Room::Middle) {
        let mut spot = spot;
        for (place, (words, alarm)) in lines.into_iter().enumerate() {
            let look = match (alarm, place) {
                (true, _) => Look::NoteLost,
                (false, 0) => Look::NoteStrong,
                _ => Look::Note,
            };
            let rank = if alarm { Rank::Outcome } else { Rank::Name };
            let mut label =
                Label::new(id("state", nth as u64, place), rank, look, spot, words).of(subject);
            // Heavy words of the widest common sans are a seventh wider than what is measured.
            let room = (right - frame.strip_words) * 7 / 8;
            label = label.wrapped(room).down(4);
            // The lines of one change belong together, also where a fold begins between them.
            label.crosses = true;
            spot.y += LINE * i32::try_from(label.lines.len()).unwrap_or(1);
            sheet.label(label);
        }
    } else if frame.room == Room::Narrow
        && before.is_none_or(|b| b.leader_epoch != change.state.leader_epoch)
    {
        let words = scene.say(Word::EpochShort(change.state.leader_epoch));
        sheet.label(
            Label::new(
                id("state", nth as u64, 0),
                Rank::Name,
                Look::Axis,
                spot,
                words,
            )
            .of(subject),
        );
    }
}

/// What is said of a state: everything at first, then only what changed. The flag marks what must not be missed.
fn lines(
    scene: &Scene<'_>,
    before: Option<&PartitionState>,
    now: &PartitionState,
) -> Vec<(String, bool)> {
    let mut lines = Vec::new();
    let elr = scene.run.scenario.settings.elr_enabled();
    if before.is_none_or(|b| b.leader != now.leader || b.leader_epoch != now.leader_epoch) {
        match now.leader {
            Some(leader) => {
                lines.push((scene.say(Word::LeaderIs(leader, now.leader_epoch)), false))
            }
            None => lines.push((scene.say(Word::NoLeader), true)),
        }
    }
    if before.is_none_or(|b| b.isr != now.isr) {
        lines.push((scene.say(Word::Isr(&now.isr)), false));
    }
    let empty = BrokerSet::new();
    if elr && before.is_none_or(|b| b.elr != now.elr)
        || before.map_or(&empty, |b| &b.elr) != &now.elr
    {
        lines.push((scene.say(Word::Elr(&now.elr)), false));
    }
    let known = before.map_or(&[][..], |b| &b.last_known_elr);
    if known != now.last_known_elr.as_slice()
        && let Some(last) = now.last_known_elr.first()
    {
        lines.push((scene.say(Word::LastKnownLeader(*last)), false));
    }
    lines
}

/// "1 is down".
fn stops(scene: &Scene<'_>, sheet: &mut Sheet) {
    for event in scene.run.events.iter().take_while(|e| scene.shown(e.at)) {
        let (word, down, broker) = match &event.kind {
            EventKind::BrokerStopped { broker, .. } | EventKind::BrokerExited { broker, .. } => {
                (Word::IsDown(*broker), true, *broker)
            }
            EventKind::BrokerStarted { broker, .. } => (Word::IsBack(*broker), false, *broker),
            _ => continue,
        };
        let subject = Subject {
            broker: Some(broker),
            event: Some(event.id),
            ..Subject::default()
        };
        let said = scene.say(word);
        sheet.note(event.at, Some(event.id), subject, said.clone());
        if down && matches!(scene.frame.room, Room::Full | Room::Middle) {
            let spot = at(scene.frame.strip_words, scene.y(event.at) + px(12));
            let label = Label::new(
                id("isdown", u64::from(event.id.0), 0),
                Rank::Name,
                Look::NoteStrong,
                spot,
                said,
            );
            sheet.label(label.of(subject).down(4));
        }
    }
}
