// The first view: the page as it was drawn while it was built, by the same functions that the module has. The module, which
// is most of the bytes, comes when a person shows up; what they did meanwhile is done then, in its order. An address that
// asks for more than a language (a link) is left to the module, which is asked for at once.
const IGNORED = { whole: [], starts: [], ends: [] };
// A key that the module takes, on what: src/ui/events.rs.
const KEYS = { "#scrubber": /^(Arrow.*|Home|End| )$/, "[data-step], [data-lane]": /^(Arrow.*|Delete)$/ };
const SIGNS = ["pointermove", "pointerdown", "touchstart", "wheel", "scroll", "keydown", "focusin", "dragenter", "input", "change"];
const FIELDS = /^(INPUT|SELECT|OPTION|TEXTAREA)$/;

const element = (id) => document.getElementById(id);

/** What the page kept, and whether there is a place to keep things: src/browser/storage.rs. */
function storage() {
  try {
    const store = localStorage;
    return { works: Boolean(store), read: (key) => store?.getItem(key) };
  } catch {
    return { works: false, read: () => null };
  }
}

/** The language for a tag: `Locale::of_tag` in src/text/locale.rs. */
function known(tag) {
  const [base, ...parts] = (tag ?? "").toLowerCase().split(/[-_]/);
  if (base === "zh") return parts.some((part) => /^(hant|tw|hk|mo)$/.test(part)) ? undefined : "zh-Hans";
  return base === "en" || base === "ko" ? base : undefined;
}

/** Whether a parameter says nothing of the view: src/share/tracking.rs. */
const ignored = (name) =>
  IGNORED.whole.includes(name) || IGNORED.starts.some((start) => name.startsWith(start)) || IGNORED.ends.some((end) => name.endsWith(end));

/** The languages that the address asks for, one at most; nothing when it asks for more. */
function asked() {
  const seen = new Map();
  for (const [given, value] of new URLSearchParams(location.search)) {
    const name = given.toLowerCase();
    if (ignored(name)) continue;
    const good = name === "lang" ? /^(en|ko|zh)([-_][a-z]+)*$/i : name === "v" && /^1$/;
    if (!good || seen.has(name) || !good.test(value)) return undefined;
    seen.set(name, value);
  }
  return [seen.get("lang")].filter(Boolean);
}

/** The width that the picture will have, in px. The page that it will stand in scrolls. */
function room(boot) {
  const probe = document.createElement("div");
  probe.innerHTML = '<main class="lab"><div class="grid"><div><div class="pair"></div></div></div></main>';
  const root = document.documentElement;
  root.style.overflowY = "scroll";
  boot.before(probe);
  const pair = probe.querySelector(".pair");
  const { paddingLeft, paddingRight } = getComputedStyle(pair);
  const width = pair.clientWidth - Math.ceil(parseFloat(paddingLeft)) - Math.ceil(parseFloat(paddingRight));
  probe.remove();
  root.removeAttribute("style");
  return width;
}

/** Puts the view into the document, as the module would have it for this reader. */
function put(markup, boot, { works, read }, theme) {
  boot.insertAdjacentHTML("beforebegin", markup);
  const app = element("app");
  document.documentElement.lang = app.dataset.first;
  document.title = app.dataset.title;
  if (location.search || read("highwater.tour") !== null || !works) {
    element("r-tour").replaceChildren();
    element("main").removeAttribute("data-tour");
  }
  if (!("share" in navigator)) element("share-link").remove();
  for (const option of element("theme").options) option.toggleAttribute("selected", option.value === theme);
  boot.remove();
  return app;
}

/** The element again, when a region was written anew since. */
function finder(target) {
  const { id } = target;
  const act = target.closest("[data-do]")?.getAttribute("data-do");
  const again = () => (id && element(id)) || (act && document.querySelector(`[data-do="${CSS.escape(act)}"]`));
  return () => (target.isConnected ? target : again() || target);
}

/** The same event once more, with what it carried. */
function same(event, more) {
  const find = finder(event.target);
  const init = { bubbles: true, cancelable: true, composed: true, ...more };
  return () => find().dispatchEvent(new event.constructor(event.type, init));
}

/** A pointer on the picture: where it was, from the drawing's corner. */
function pointed(event) {
  const corner = () => element("drawing").getBoundingClientRect();
  const { left, top } = corner();
  const [x, y] = [event.clientX - left, event.clientY - top];
  const { pointerId, pointerType, isPrimary, button, buttons } = event;
  const find = finder(event.target);
  return () => {
    const now = corner();
    const init = { pointerId, pointerType, isPrimary, button, buttons, clientX: now.left + x, clientY: now.top + y };
    find().dispatchEvent(new PointerEvent(event.type, { bubbles: true, cancelable: true, composed: true, ...init }));
  };
}

/** What has to be done again when the module is there; nothing for what the browser does by itself. */
const REMEMBERED = {
  click(event) {
    const button = event.target.closest("[data-do]");
    if (!button || FIELDS.test(event.target.tagName)) return undefined;
    event.preventDefault();
    const find = finder(button);
    return () => find().click();
  },
  change(event) {
    const field = event.target;
    if (!field.closest("[data-do]")) return undefined;
    const [find, value, again] = [finder(field), field.value, same(event)];
    return () => {
      const now = find();
      if (now.type === "radio") now.checked = true;
      else if (now.type !== "file" && now.value !== value) now.value = value;
      again();
    };
  },
  input(event) {
    const field = event.target;
    if (field.id !== "scrubber") return undefined;
    const [value, again] = [field.value, same(event)];
    return () => {
      if (field.value !== value) field.value = value;
      again();
    };
  },
  keydown(event) {
    const takes = Object.entries(KEYS).some(([on, keys]) => event.target.closest(on) && keys.test(event.key));
    if (!takes || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    event.preventDefault();
    return same(event, { key: event.key, shiftKey: event.shiftKey });
  },
  pointerdown: (event) => (event.target.closest("#picture") ? pointed(event) : undefined),
  pointermove: (event) => (event.buttons && event.target.closest("#picture") ? pointed(event) : undefined),
  pointerup: (event) => (event.target.closest("#picture") ? pointed(event) : undefined),
  pointercancel: (event) => (event.target.closest("#picture") ? pointed(event) : undefined),
  dragover(event) {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  },
  drop(event) {
    const dataTransfer = new DataTransfer();
    for (const file of event.dataTransfer?.files ?? []) dataTransfer.items.add(file);
    if (!dataTransfer.items.length) return undefined;
    event.preventDefault();
    return same(event, { dataTransfer });
  },
  paste(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.trim() || FIELDS.test(event.target.tagName)) return undefined;
    event.preventDefault();
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    return same(event, { clipboardData });
  },
  submit: (event) => event.preventDefault(),
};

/** Remembers what is done in `app` until the module is there, and then does it. */
function remember(app) {
  const stop = new AbortController();
  const acts = [];
  let again = false;
  for (const [name, kind] of Object.entries(REMEMBERED)) {
    const hear = (event) => {
      if (again || !(event.target instanceof Element) || !app.contains(event.target)) return;
      const act = kind(event);
      if (!act) return;
      event.stopImmediatePropagation();
      // Of a movement only its last place counts.
      const last = acts.at(-1);
      if (last?.name === name && /^(input|pointermove)$/.test(name)) acts.pop();
      acts.push({ name, act });
    };
    addEventListener(name, hear, { capture: true, signal: stop.signal });
  }
  const done = async () => {
    // The module hears where the focus is.
    if (app.contains(document.activeElement)) acts.unshift({ act: () => document.activeElement.dispatchEvent(new FocusEvent("focusin", { bubbles: true })) });
    for (let next = acts.shift(); next; next = acts.shift()) {
      again = true;
      next.act();
      again = false;
      // The module does some things a moment later.
      await new Promise((soon) => setTimeout(soon));
    }
    stop.abort();
    app.removeAttribute("aria-busy");
  };
  new MutationObserver((_, watch) => {
    watch.disconnect();
    for (const name of Object.keys(app.dataset)) delete app.dataset[name];
    done();
  }).observe(app, { attributeFilter: ["data-first"] });
  return stop;
}

/** Without the module nothing that was chosen came to be, and nothing will: the fields say what the view shows, and take no more. */
function undo(app) {
  app.removeAttribute("aria-busy");
  for (const control of app.querySelectorAll("button, input, select, textarea")) control.disabled = true;
  for (const form of app.querySelectorAll("form")) form.reset();
  for (const field of app.querySelectorAll("#scrubber")) field.value = field.defaultValue;
}

function first() {
  const languages = asked();
  const meta = document.querySelector("meta[name=first]");
  const boot = element("boot");
  if (!languages || !meta || !boot) return undefined;
  const kept = storage();
  const theme = ["light", "dark"].find((name) => name === kept.read("highwater.theme")) ?? "auto";
  if (theme !== "auto") document.documentElement.dataset.theme = theme;
  const tags = [...languages, kept.read("highwater.language"), ...navigator.languages];
  const tag = tags.map(known).find(Boolean) ?? "en";
  const [digest, ...widths] = meta.content.split(" ");
  const width = room(boot);
  const nearest = widths.findLast((each) => each <= width) ?? widths[0];

  let come;
  const woken = new Promise((resolve) => (come = resolve));
  let app, stop;
  let wanted = false;
  const wake = () => {
    if (wanted) return;
    wanted = true;
    app?.setAttribute("aria-busy", "true");
    for (const name of SIGNS) removeEventListener(name, wake, true);
    come();
  };
  for (const name of SIGNS) addEventListener(name, wake, { capture: true, passive: true });

  const shown = (async () => {
    const answer = await fetch(new URL(`./first/${tag}-${nearest}-${digest}.txt`, import.meta.url));
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    app = put(await answer.text(), boot, kept, theme);
    if (wanted) app.setAttribute("aria-busy", "true");
    stop = remember(app);
    // A person who turns the phone or takes the window's edge; what a bar of the browser takes of the height is no matter.
    const { clientWidth } = element("pair");
    addEventListener("resize", () => element("pair")?.clientWidth === clientWidth || wake());
  })();
  // Where it does not come, the page is the module's from the beginning.
  const settled = shown.catch(wake);
  const failed = () => {
    stop?.abort();
    if (app) undo(app);
  };
  return { shown: settled, woken, failed };
}

globalThis.first = first();
