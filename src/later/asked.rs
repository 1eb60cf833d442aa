//! What is asked besides the view and the scenario: `name=value` a line. What is unknown or cannot be read counts for
//! nothing, so a page and a module of two builds that meet in a cache still understand each other.

use highwater_core::kafka::ids::{MessageId, Millis};
use highwater_core::sim::Instant;

use crate::picture::messages::Room;
use crate::picture::shape::Tenths;

/// A question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// `at`, `position`: the playhead.
    pub instant: Instant,
    /// `copy`: the word on a button that copies, in the reader's language.
    pub copy: String,
    /// `frame=left right top fold` in tenths of a px, `folds=200 5533` the open ones, `idle`, `record`.
    pub room: Room,
    /// `beside`: the scenario of the run that is compared with this one, whose events share the clock. Its lines are parted
    /// by `\u{1e}`.
    pub beside: String,
    /// `window=top bottom` in tenths of a px: what is visible.
    pub window: (Tenths, Tenths),
    /// `message`: the selected one.
    pub message: Option<MessageId>,
    /// `step`: `next`, `previous`, `pair`, `first` or `last`.
    pub step: String,
    /// `page`: how many messages the list is moved by.
    pub page: i64,
    /// What the layout of a diagram depends on, as it was written.
    pub layout: String,
}

impl Asked {
    /// Reads a question.
    pub fn read(lines: &str) -> Asked {
        let mut asked = Asked::default();
        for (name, value) in lines.lines().filter_map(|line| line.split_once('=')) {
            asked.take(name, value);
            if matches!(name, "frame" | "folds" | "idle" | "record" | "beside") {
                asked.layout.push_str(name);
                asked.layout.push('=');
                asked.layout.push_str(value);
                asked.layout.push('\n');
            }
        }
        asked
    }

    fn take(&mut self, name: &str, value: &str) {
        match name {
            "at" => self.instant.at = Millis(value.parse().unwrap_or(0)),
            "position" => self.instant.position = value.parse().unwrap_or(0),
            "copy" => value.clone_into(&mut self.copy),
            "frame" => {
                if let [left, right, top, fold] = numbers(value)[..] {
                    (self.room.left, self.room.right) = (left, right);
                    (self.room.top, self.room.fold) = (top, fold);
                }
            }
            "folds" => {
                for at in value.split(' ').filter_map(|at| at.parse().ok()) {
                    self.room.unfolded.insert(Millis(at));
                }
            }
            "idle" => self.room.idle = value == "1",
            "record" => self.room.record = value.parse().ok(),
            "beside" => self.beside = value.replace('\u{1e}', "\n"),
            "window" => {
                if let [top, bottom] = numbers(value)[..] {
                    self.window = (top, bottom);
                }
            }
            "message" => self.message = value.parse().ok().map(MessageId),
            "step" => value.clone_into(&mut self.step),
            "page" => self.page = value.parse().unwrap_or(0),
            _ => {}
        }
    }
}

/// Numbers with spaces between them, none further out than a picture can be.
fn numbers(value: &str) -> Vec<Tenths> {
    let far = Tenths::MAX / 8;
    let read = value.split(' ').filter_map(|n| n.parse::<Tenths>().ok());
    read.map(|n| n.clamp(-far, far)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_read_line_by_line() {
        let asked = Asked::read(
            "at=523\nposition=2\nframe=3780 10720 1040 300\nfolds=13 530\nidle=1\nwindow=0 9000\nmessage=7\nnew=x\nrecord=",
        );
        assert_eq!((asked.instant.at, asked.instant.position), (Millis(523), 2));
        assert_eq!((asked.room.left, asked.room.fold), (3780, 300));
        assert!(asked.room.unfolded.contains(&Millis(530)) && asked.room.idle);
        assert_eq!(
            (asked.window, asked.message),
            ((0, 9000), Some(MessageId(7)))
        );
        assert_eq!(asked.room.record, None);
        assert!(asked.layout.contains("folds=13 530") && !asked.layout.contains("window"));
    }

    #[test]
    fn nonsense_counts_for_nothing() {
        let asked =
            Asked::read("at=-5\nframe=1 2\nframe=a b c d\nwindow=99999999999 0\n==\nmessage=x");
        assert_eq!(asked.room, Room::default());
        assert_eq!((asked.window, asked.message), ((0, 0), None));
    }
}
