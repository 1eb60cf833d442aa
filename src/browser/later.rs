//! The module that loads later, asked from here: `public/boot.js` fetches it once for everybody.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::js_sys::{Array, Function, Promise, Reflect, Uint8Array};

/// Calls a function of the module with strings and, if there are some, bytes; it answers with strings.
///
/// # Errors
/// A reason for people: the module did not come, or the function's own.
pub async fn ask(name: &str, words: &[&str], bytes: Option<&[u8]>) -> Result<Vec<String>, String> {
    let answer = call(name, words, bytes).await.map_err(|error| {
        let said = error.as_string();
        said.unwrap_or_else(|| String::from(web_sys::js_sys::Error::from(error).message()))
    })?;
    let list = answer.dyn_into::<Array>().unwrap_or_default();
    Ok(list.iter().filter_map(|word| word.as_string()).collect())
}

async fn call(name: &str, words: &[&str], bytes: Option<&[u8]>) -> Result<JsValue, JsValue> {
    let elements = web_sys::window().ok_or(JsValue::NULL)?.custom_elements();
    let class = elements.get("later-view");
    let fetch: Function = Reflect::get(&class, &"module".into())?.dyn_into()?;
    let module = JsFuture::from(fetch.call0(&class)?.dyn_into::<Promise>()?).await?;
    let given: Array = words.iter().map(|word| JsValue::from_str(word)).collect();
    if let Some(bytes) = bytes {
        given.push(&Uint8Array::from(bytes));
    }
    let asked: Function = Reflect::get(&module, &name.into())?.dyn_into()?;
    JsFuture::from(asked.apply(&module, &given)?.dyn_into::<Promise>()?).await
}
