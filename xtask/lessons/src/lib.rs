//! Lessons: data in `lessons/`, checked against the model and rendered as pages when the page is built.
//!
//! Reading order: [`spec`] (what is written), [`anchor`] and [`value`] with [`wire`] and [`operator`] (what a run can be asked), [`claim`], [`question`]
//! and [`reason`] (what the run answers), [`prose`] and [`numbers`], [`lesson`] (all of it), [`belief`] (what they contradict), then the pages: [`pictures`],
//! [`say`], [`apart`], [`stage`], [`terms`], [`difference`], [`page`], [`index`], [`preview`], [`site`], and [`render`], which does it all.

pub mod anchor;
pub mod apart;
pub mod belief;
pub mod claim;
pub mod difference;
pub mod fault;
pub mod html;
pub mod index;
pub mod lesson;
pub mod link;
pub mod numbers;
pub mod operator;
pub mod page;
pub mod path;
pub mod pictures;
pub mod preview;
pub mod prose;
pub mod question;
pub mod reason;
pub mod render;
pub mod say;
pub mod site;
pub mod spec;
pub mod stage;
pub mod terms;
pub mod value;
pub mod wire;
pub mod words;
