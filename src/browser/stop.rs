//! What is shown when the program stops by a fault of its own: a box with the reason and a way on, never a blank page.

/// The words of the box; they are handed in because this room has no text of its own.
pub struct Words {
    /// What happened.
    pub stopped: String,
    /// The button.
    pub reload: String,
}

/// From now on a panic puts the box at the top of the page; the page's last picture stays readable below it.
pub fn install(words: Words) {
    std::panic::set_hook(Box::new(move |info| {
        // The hook itself must not fail: every step is optional.
        let _ = show(&words, &info.to_string());
    }));
}

fn show(words: &Words, reason: &str) -> Option<()> {
    web_sys::console::error_1(&reason.into());
    let document = web_sys::window()?.document()?;
    if document.get_element_by_id("stopped").is_some() {
        return None;
    }
    let place = document.create_element("div").ok()?;
    place.set_id("stopped");
    place.set_class_name("stopped");
    place.set_attribute("role", "alert").ok()?;
    let sentence = document.create_element("p").ok()?;
    sentence.set_text_content(Some(&words.stopped));
    let detail = document.create_element("code").ok()?;
    detail.set_text_content(Some(reason));
    let reload = document.create_element("a").ok()?;
    reload.set_class_name("btn");
    reload.set_attribute("href", "").ok()?;
    reload.set_text_content(Some(&words.reload));
    for child in [sentence, detail, reload] {
        place.append_child(&child).ok()?;
    }
    let body = document.body()?;
    body.insert_before(&place, body.first_child().as_ref())
        .ok()?;
    Some(())
}
