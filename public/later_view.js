// The views that load later (src/later.rs): fetched with their module and their styles when the first of them is opened.
// What an operator sees and what is inspected stand in a disclosure each; the messages lie over the picture.

/** So much of the diagram is drawn above and below what is visible, in px. */
const BEYOND = 500;
/** What stands between lines where a value has lines of its own. */
const LINE = "\u001e";

let styles;
let spoken;

/** The styles, once; a failure is told to everybody who waits, and the next one tries again. */
async function style(name) {
  styles ??= new Promise((done, fail) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(`./${name}.css`, import.meta.url).href;
    link.onload = done;
    link.onerror = () => fail(new Error(`${name}.css`));
    document.head.append(link);
  });
  styles.catch(() => (styles = undefined));
  return styles;
}

/** The module speaks the language of the document. */
async function speak(module) {
  const tag = document.documentElement.lang;
  if (tag === spoken) return;
  let file = "";
  if (!tag.startsWith("en")) {
    const answer = await fetch(new URL(`./text/${tag.slice(0, 2)}.txt`, document.baseURI));
    if (!answer.ok) throw new Error(`${answer.status} ${answer.url}`);
    file = await answer.text();
  }
  module.speak(tag, file);
  spoken = tag;
}

/** What draws the element from now on. */
export async function viewOf(element, name) {
  if (element.hasAttribute("src")) return new File(element);
  const [module] = await Promise.all([element.constructor.module(), style(name)]);
  await speak(module);
  element.textContent = "";
  return element.getAttribute("ask") === "messages" ? new Messages(element, module) : new Disclosed(element, module);
}

/** A text file as it stands. */
class File {
  constructor(element) {
    this.element = element;
  }

  async changed() {
    if (this.shown) return;
    this.shown = true;
    try {
      const answer = await fetch(this.element.getAttribute("src"));
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      const pre = document.createElement("pre");
      pre.textContent = await answer.text();
      this.element.replaceChildren(pre);
    } catch (error) {
      this.shown = false;
      this.element.textContent = `${this.element.getAttribute("failed")} ${error}`;
    }
  }
}

class View {
  constructor(element, module) {
    this.element = element;
    this.module = module;
  }

  of(name) {
    return this.element.getAttribute(name) ?? "";
  }

  ask(view, rest = {}) {
    const asked = { at: this.of("at"), position: this.of("position"), copy: this.of("copy"), ...rest };
    const lines = Object.entries(asked).map(([name, value]) => `${name}=${String(value).replaceAll("\n", LINE)}`);
    return this.module.answer(view, this.of("scenario"), lines.join("\n"));
  }

  /** Several attributes change together, and a playhead that plays changes them all the time. */
  changed() {
    this.due ??= setTimeout(() => {
      this.due = undefined;
      this.draw();
    }, this.shown ? 60 : 0);
  }
}

class Disclosed extends View {
  constructor(element, module) {
    super(element, module);
    element.addEventListener("click", (event) => this.copy(event.target.closest("[data-copy]")));
  }

  draw() {
    const opened = new Set([...this.element.querySelectorAll("details[open] > summary")].map((s) => s.textContent));
    this.element.innerHTML = this.ask(this.of("ask"));
    for (const summary of this.element.querySelectorAll("summary")) {
      if (opened.has(summary.textContent)) summary.parentElement.open = true;
    }
    this.shown = true;
  }

  /** The whole piece, also where only its end is shown. */
  async copy(button) {
    if (!button) return;
    const words = button.textContent;
    await navigator.clipboard.writeText(this.ask("operator.piece", { page: button.dataset.copy }));
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = words), 1500);
  }
}

class Messages extends View {
  constructor(element, module) {
    super(element, module);
    element.innerHTML =
      '<div class="message-tools"></div><div class="arrows" tabindex="0" role="group"><svg class="pic" aria-hidden="true"></svg></div>' +
      '<p class="unseen" role="status"></p><button type="button" hidden></button>';
    [this.tools, this.arrows, this.live, this.seeker] = element.children;
    this.svg = this.arrows.firstChild;
    this.panes = ["message-side", "message-sheet", "message-list"].map((id) => document.getElementById(id));
    this.idle = false;
    this.page = 0;
    for (const part of [element, ...this.panes]) part.addEventListener("click", (event) => this.clicked(event, part));
    this.arrows.addEventListener("keydown", (event) => this.key(event));
    for (const pane of this.panes) {
      pane.addEventListener("keydown", (event) => event.key === "Escape" && this.mine(pane) && this.letGo());
    }
    for (const [target, name] of [[document, "scroll"], [window, "resize"]]) {
      target.addEventListener(name, () => this.scrolled(), { passive: true });
    }
  }

  get on() {
    return this.element.isConnected && this.element.hasAttribute("on");
  }

  mine(pane) {
    return this.on && (pane.dataset.owner ?? "later-messages") === this.element.id;
  }

  ask(view, rest = {}) {
    const layout = { frame: this.of("frame"), folds: this.of("folds"), idle: Number(this.idle), beside: this.of("beside") };
    const record = this.element.id === "later-messages" ? { record: this.of("record") } : {};
    return super.ask(view, { ...layout, ...record, message: this.message ?? "", ...rest });
  }

  draw() {
    if (!this.on) {
      this.letGo();
      for (const pane of this.panes) pane.replaceChildren();
      delete this.shown;
      return;
    }
    if (this.scenario !== this.of("scenario")) {
      this.scenario = this.of("scenario");
      this.letGo();
    }
    this.tools.style.left = this.arrows.style.left = `${this.of("frame").split(" ")[0] / 10}px`;
    this.svg.style.marginLeft = `-${this.arrows.style.left}`;
    this.draws("tools", this.tools, "messages.tools");
    this.arrows.setAttribute("aria-label", this.ask("messages.label"));
    this.list();
    this.stretch();
    this.shown = true;
  }

  /** Writes only what changed, and leaves the focus where it is. */
  draws(name, place, view, rest) {
    const markup = this.ask(view, rest);
    if (this[`${name}Last`] === markup && place.firstChild) return;
    this[`${name}Last`] = markup;
    const focused = place.contains(document.activeElement) && document.activeElement;
    const again = focused && [...focused.attributes].filter((a) => a.name.startsWith("data-")).map((a) => `[${a.name}="${a.value}"]`).join("");
    place.innerHTML = markup;
    if (again) (place.querySelector(again) ?? place.querySelector("button"))?.focus();
  }

  list() {
    const pane = this.panes[2];
    if (!this.mine(pane)) return;
    const step = pane.querySelector("details")?.open ? "open" : "";
    this.draws("list", pane, "messages.list", { page: this.page, step });
  }

  /** The visible stretch, and some of what is around it. */
  stretch() {
    const { top, height } = this.element.getBoundingClientRect();
    const from = Math.max(0, -top - BEYOND);
    const to = Math.min(height, innerHeight - top + BEYOND);
    this.drawn = [from, to];
    const window = `${Math.floor(from * 10)} ${Math.ceil(to * 10)}`;
    this.svg.innerHTML = this.ask("messages", { window });
  }

  scrolled() {
    if (!this.on || !this.shown || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      const { top, height } = this.element.getBoundingClientRect();
      const [from, to] = this.drawn;
      const inside = Math.max(0, -top) >= from && Math.min(height, innerHeight - top) <= to;
      if (!inside) this.stretch();
    });
  }

  clicked(event, part) {
    if (part !== this.element && !this.mine(part)) return;
    const near = (name) => event.target.closest(`[data-${name}]`)?.dataset[name];
    // The page's own acts are about A.
    if (this.element.id !== "later-messages") event.stopPropagation();
    const message = near("message");
    if (message !== undefined) this.select(Number(message));
    else if (near("idle") !== undefined) this.turnIdle();
    else if (near("close") !== undefined) this.letGo(true);
    else if (near("page") !== undefined) {
      this.page = Number(near("page"));
      this.list();
    }
  }

  turnIdle() {
    this.idle = !this.idle;
    this.draw();
  }

  select(id) {
    if (this.message === id) return;
    this.message = id;
    for (const pane of this.panes) pane.dataset.owner = this.element.id;
    const detail = this.ask("messages.detail");
    for (const pane of this.panes.slice(0, 2)) {
      const within = pane.contains(document.activeElement);
      pane.innerHTML = detail;
      pane.scrollTop = 0;
      if (within) pane.querySelector("button")?.focus();
    }
    this.stretch();
    this.list();
    const said = this.panes[0].querySelectorAll("h2, .way, .note");
    this.live.textContent = [...said].map((part) => part.textContent).join(", ");
  }

  letGo(focus) {
    if (this.message === undefined) return;
    this.message = undefined;
    for (const pane of this.panes.slice(0, 2)) pane.replaceChildren();
    if (!this.on) return;
    this.stretch();
    this.list();
    if (focus) this.arrows.focus({ preventScroll: true });
  }

  key(event) {
    const steps = { ArrowDown: "next", ArrowUp: "previous", ArrowLeft: "pair", ArrowRight: "pair", Home: "first", End: "last" };
    if (event.key === "Escape") this.letGo();
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const found = this.ask("messages.walk", { step });
    if (!found) return;
    const [id, top, bottom, at] = found.split(" ").map(Number);
    this.select(id);
    if (this.element.id === "later-messages") {
      this.seeker.dataset.do = `seek:${at}`;
      this.seeker.click();
    }
    this.reveal(top / 10, bottom / 10);
    this.stretch();
  }

  /** The arrow stands clear of both edges, of the bar at the foot and of what is said of the message. */
  reveal(top, bottom) {
    const box = this.element.getBoundingClientRect();
    const over = [...document.querySelectorAll(".bar, .playback, .message-sheet")].map((part) => part.getBoundingClientRect());
    const foot = Math.min(innerHeight, ...over.filter((part) => part.height > 0).map((part) => part.top));
    if (box.top + top < 60 || box.top + bottom > foot - 30) {
      scrollBy({ top: box.top + top - foot / 2, behavior: "instant" });
    }
  }
}
