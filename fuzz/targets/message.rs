//! What a page around a widget may say to it, and what its author may write into the widget's address.
#![no_main]

use highwater::session::Session;
use highwater::session::widget::{Asked, Gate, LONGEST_MESSAGE, message};
use highwater_core::kafka::ids::Millis;
use libfuzzer_sys::fuzz_target;

/// A widget of a short run, made once: messages change nothing that is kept.
fn session() -> &'static Session {
    static SESSION: std::sync::OnceLock<Session> = std::sync::OnceLock::new();
    SESSION.get_or_init(|| Session::of_widget("?scenario=state-a&start=5ms").0)
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let options = highwater::share::widget::read(&text);
    assert!(options.show.contains(&true));
    let _ = highwater::share::read(&options.link);
    let mut gate = Gate::default();
    for text in [text.to_string(), format!("highwater:1?{text}")] {
        assert!(gate.lets_through(0.0));
        let Some(asked) = message(&text) else {
            continue;
        };
        assert!(text.len() <= LONGEST_MESSAGE && !asked.is_empty());
        for asked in asked {
            // A setting makes a run, which the target of scenarios looks at.
            let is_setting = matches!(asked, Asked::Set(..));
            if let Some(command) = session().wish(asked).filter(|_| !is_setting) {
                let mut session = session().clone();
                session.apply(command);
                assert!(session.playhead().at >= Millis(5));
                assert!(session.playhead().at <= session.ran().end().at);
            }
        }
    }
});
