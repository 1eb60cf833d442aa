//! `lessons/beliefs.toml`: wrong beliefs, and the prediction that contradicts each. A reader who holds the belief must be
//! able to choose what it says, and the run must say that it is not so.

use serde::Deserialize;
use toml::Spanned;

use crate::anchor::{self, Ran, record_number};
use crate::fault::{Fault, line_of};
use crate::lesson::Lesson;
use crate::path::Row;
use crate::question::{Kind, Pick, Question};
use highwater_core::kafka::ids::BrokerId;

/// The file.
pub const FILE: &str = "lessons/beliefs.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    belief: Vec<Spanned<Belief>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Belief {
    says: String,
    rows: Vec<u32>,
    #[serde(default)]
    prediction: Vec<Spanned<Prediction>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prediction {
    lesson: String,
    step: usize,
    believed: Vec<String>,
}

/// Holds the beliefs against the lessons. With `only`, which is then the only lesson, no other's predictions.
pub fn check(text: &str, rows: &[Row], lessons: &[Lesson], only: Option<&str>) -> Vec<Fault> {
    let file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            let line = error.span().map_or(0, |span| line_of(text, span.start));
            return vec![Fault::at(FILE, line, error.message())];
        }
    };
    let mut faults = Vec::new();
    for belief in &file.belief {
        let line = line_of(text, belief.span().start);
        let belief = belief.get_ref();
        if belief.rows.is_empty() {
            faults.push(Fault::at(
                FILE,
                line,
                format!("`{}` has no row", belief.says),
            ));
        }
        for number in &belief.rows {
            let Some(row) = rows.iter().find(|row| row.number == *number) else {
                let message = format!("the path has no row {number}");
                faults.push(Fault::at(FILE, line, message));
                continue;
            };
            let written = lessons.iter().any(|lesson| lesson.slug == row.slug);
            let said = |p: &Spanned<Prediction>| p.get_ref().lesson == row.slug;
            if written && !belief.prediction.iter().any(said) {
                let message = format!(
                    "`{}`: no prediction of the lesson `{}` contradicts it",
                    belief.says, row.slug
                );
                faults.push(Fault::at(FILE, line, message));
            }
        }
        let predictions = belief.prediction.iter();
        for prediction in predictions.filter(|p| only.is_none_or(|slug| p.get_ref().lesson == slug))
        {
            if let Err(why) = contradicts(prediction.get_ref(), rows, belief, lessons) {
                let line = line_of(text, prediction.span().start);
                faults.push(Fault::at(FILE, line, format!("`{}`: {why}", belief.says)));
            }
        }
    }
    faults
}

/// Whether the prediction can be believed, and is wrong.
fn contradicts(
    prediction: &Prediction,
    rows: &[Row],
    belief: &Belief,
    lessons: &[Lesson],
) -> Result<(), String> {
    let slug = &prediction.lesson;
    let lesson = lessons.iter().find(|lesson| lesson.slug == *slug);
    let lesson = lesson.ok_or_else(|| format!("there is no lesson `{slug}`"))?;
    let row = rows.iter().find(|row| row.slug == *slug);
    if !row.is_some_and(|row| belief.rows.contains(&row.number)) {
        return Err(format!("the row of `{slug}` is not among its rows"));
    }
    let step = prediction.step;
    let asked = step
        .checked_sub(1)
        .and_then(|index| lesson.steps.get(index));
    let question = asked
        .and_then(|step| step.ask.as_ref())
        .ok_or_else(|| format!("step {step} of `{slug}` asks nothing"))?;
    let ran = lesson.runs.get(&question.run);
    let ran = ran.ok_or_else(|| format!("there is no run `{}`", question.run))?;
    let mut chosen = Vec::new();
    for text in &prediction.believed {
        let place = pick(&question.kind, ran, text)
            .and_then(|pick| question.choices.iter().position(|c| c.pick == pick));
        chosen.push(place.ok_or_else(|| {
            format!(
                "`{text}` cannot be chosen in step {step} of `{slug}`; expected {}",
                written(&question.kind)
            )
        })?);
    }
    match is_right(question, &chosen) {
        None => Err(format!(
            "step {step} of `{slug}` is not answered by {} of its choices",
            chosen.len()
        )),
        Some(true) => Err(format!(
            "step {step} of `{slug}` does not contradict it: the run says the same"
        )),
        Some(false) => Ok(()),
    }
}

/// The choice that a text names.
fn pick(kind: &Kind, ran: &Ran, text: &str) -> Option<Pick> {
    Some(match (kind, text) {
        (Kind::Offset(_), _) => Pick::Offset(text.parse().ok()?),
        (Kind::Record(_), "none") => Pick::Record(None),
        (Kind::Record(_), _) => Pick::Record(Some(record_number(text)?)),
        (Kind::Fate(_), "kept") => Pick::Kept,
        (Kind::Fate(_), "lost") => Pick::Lost,
        (Kind::Fate(_), _) => return None,
        (Kind::Answer(_) | Kind::Reply(_) | Kind::Value(_), _) => Pick::Answer(text.to_owned()),
        (Kind::Order, _) => Pick::Event(anchor::event(ran, text).ok()?),
        (Kind::Broker, "none") => Pick::Broker(None),
        (Kind::Broker | Kind::Brokers(_), _) => Pick::Broker(Some(BrokerId(text.parse().ok()?))),
    })
}

/// How the choices of a question are written.
fn written(kind: &Kind) -> &'static str {
    match kind {
        Kind::Offset(_) => "an offset such as `1`",
        Kind::Record(_) => "a record such as `m1`, or `none`",
        Kind::Fate(_) => "`kept` or `lost`",
        Kind::Answer(_) | Kind::Reply(_) | Kind::Value(_) => "one of its `among`",
        Kind::Order => "the events of its `order`",
        Kind::Broker => "the number of a broker such as `1`, or `none`",
        Kind::Brokers(_) => "the numbers of brokers such as `1`",
    }
}

/// Whether these choices are the right answer; none if they are no whole answer.
fn is_right(question: &Question, chosen: &[usize]) -> Option<bool> {
    let choices: Vec<_> = chosen
        .iter()
        .filter_map(|place| question.choices.get(*place))
        .collect();
    match &question.kind {
        Kind::Order => {
            let mut once = chosen.to_vec();
            once.sort_unstable();
            once.dedup();
            let whole = once.len() == question.choices.len() && chosen.len() == once.len();
            whole.then(|| {
                choices.windows(2).all(|two| match two {
                    [a, b] => a.rank < b.rank,
                    _ => true,
                })
            })
        }
        Kind::Brokers(_) => {
            let right = question
                .choices
                .iter()
                .filter(|choice| choice.right)
                .count();
            Some(choices.len() == right && choices.iter().all(|choice| choice.right))
        }
        _ => match choices.as_slice() {
            [one] => Some(one.right),
            _ => None,
        },
    }
}
