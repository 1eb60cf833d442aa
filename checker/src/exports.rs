//! The functions of the module. A question is written with [`input`] and asked with [`ask`]; every text that comes back is
//! read with [`output`], byte by byte.

use std::cell::RefCell;

use crate::Search;

#[derive(Default)]
struct Module {
    input: Vec<u8>,
    output: Vec<u8>,
    search: Option<Search>,
}

impl Module {
    /// Leaves a text to be read; how many bytes it has.
    fn say(&mut self, text: String) -> u32 {
        self.output = text.into_bytes();
        u32::try_from(self.output.len()).unwrap_or(u32::MAX)
    }
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with_borrow_mut(work)
}

/// Takes one more byte of the question.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn input(byte: u32) {
    with(|module| module.input.push(byte.to_le_bytes()[0]));
}

/// Asks the question that was written, which is gone then. 0 = it is asked; else why not, in so many bytes.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> u32 {
    with(|module| {
        let text = String::from_utf8_lossy(&std::mem::take(&mut module.input)).into_owned();
        module.search = None;
        match Search::ask(&text) {
            Ok(search) => {
                module.search = Some(search);
                0
            }
            Err(why) => module.say(why),
        }
    })
}

/// Goes on by at most so many states; 1 = the search is over, or none was asked.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn advance(states: u32) -> u32 {
    with(|module| {
        let search = module.search.as_mut();
        search.is_none_or(|search| search.advance(u64::from(states)))
    })
    .into()
}

/// [`Search::report`]; how many bytes it has.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn report() -> u32 {
    with(|module| {
        let text = module.search.as_ref().map(Search::report);
        module.say(text.unwrap_or_default())
    })
}

/// [`Search::way`], or why there is none, which has no first line that begins with a question mark; how many bytes it has.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn way() -> u32 {
    with(|module| {
        let way = module.search.as_ref().map(Search::way);
        module.say(
            way.map(|way| way.unwrap_or_else(|why| why))
                .unwrap_or_default(),
        )
    })
}

/// A byte of the last text.
#[allow(unsafe_code, reason = "an exported name; the function itself is safe")]
#[unsafe(no_mangle)]
pub extern "C" fn output(place: u32) -> u32 {
    with(|module| {
        module
            .output
            .get(place as usize)
            .copied()
            .unwrap_or_default()
    })
    .into()
}
