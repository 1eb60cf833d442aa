// Wakes a lesson page up: one step at a time, predictions, progress. Without it the page is complete and readable.
// What is right stands in the page, computed when it was built; here answers are only compared.
// A classic script: in a sandboxed frame, which has no origin, a module would need a header of the host.
"use strict";

const KEY = "highwater.lessons";

/** Progress of all lessons in this browser. Where storage throws or holds something else, it lasts as long as the page. */
let progress = {};
try {
  const kept = JSON.parse(localStorage.getItem(KEY));
  if (kept && typeof kept === "object" && !Array.isArray(kept)) progress = kept;
} catch {}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(progress));
  } catch {}
}

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const fill = (words, slots) => words.replace(/\{(\w+)\}/g, (slot, name) => slots[name] ?? slot);
const root = document.documentElement;
const query = new URLSearchParams(location.search);
root.classList.add("live");
root.classList.toggle("embed", query.has("embed"));
if (query.has("embed")) {
  dress(query.get("theme"));
  host();
} else {
  try {
    // The theme that was chosen in the lab.
    dress(localStorage.getItem("highwater.theme"));
  } catch {}
}

/** The colours that were asked for; those of the system for anything else. */
function dress(theme) {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
}

/** As a widget the page tells the page around it how tall it is, and hears which colours it has: docs/embedding.md. */
function host() {
  const START = "highwater:1?";
  if (parent === window) return;
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height !== told) parent.postMessage(`${START}height=${height}`, "*");
    told = height;
  }).observe(document.body);
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data !== "string" || data.length > 1000 || !data.startsWith(START)) return;
    const theme = new URLSearchParams(data.slice(START.length)).get("theme");
    if (["auto", "light", "dark"].includes(theme)) dress(theme);
  });
}

const list = document.querySelector(".path");
if (list) index(list);
const main = document.querySelector("main.lesson");
if (main) lesson(main, root.dataset.lesson);

function index(list) {
  const written = all("li[data-slug]:not(.coming)", list);
  const done = written.filter((row) => progress[row.dataset.slug]?.done === true);
  for (const row of done) {
    row.classList.add("done");
    row.querySelector(".state").hidden = false;
  }
  const line = document.getElementById("progress");
  line.textContent = fill(line.dataset.words, { n: done.length, all: written.length });
}

function lesson(main, slug) {
  const kept = progress[slug];
  const mine = kept && typeof kept === "object" ? kept : {};
  progress[slug] = mine;
  if (!Array.isArray(mine.seen)) mine.seen = [];
  if (!mine.picks || typeof mine.picks !== "object") mine.picks = {};
  const last = Number(main.dataset.steps);
  const numbered = (text) => {
    const n = Number(text);
    return Number.isInteger(n) && n >= 1 && n <= last ? n : undefined;
  };
  const only = query.has("only") ? alone(main, query.get("only"), numbered) : undefined;
  const fromHash = () => numbered(/^#step-(\d+)$/.exec(location.hash)?.[1]);

  /** Shows a step; `turn` says that the reader asked for it. */
  function show(number, turn) {
    for (const step of all(".step", main)) step.classList.toggle("now", Number(step.dataset.step) === number);
    share(main, slug, number);
    if (!mine.seen.includes(number)) mine.seen.push(number);
    mine.done = mine.done === true || (number === last && !only);
    keep();
    for (const link of all(".steps-nav a")) {
      const own = Number(link.dataset.go);
      if (own === number) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
      link.querySelector(".tick").hidden = own === number || !mine.seen.includes(own);
      const bar = link.closest("nav");
      if (own === number) bar.scrollLeft = link.offsetLeft - bar.offsetLeft - (bar.clientWidth - link.clientWidth) / 2;
    }
    if (!turn) return;
    const heading = document.getElementById(`h-${number}`);
    heading.focus({ preventScroll: true });
    const top = document.querySelector(".steps-nav");
    if (top.getBoundingClientRect().top < 0) top.scrollIntoView();
  }

  function go(number) {
    const to = new URL(location.href);
    to.searchParams.set("step", number);
    to.hash = "";
    history.pushState(null, "", to);
    show(number, true);
  }

  main.ownerDocument.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(Number(link.dataset.go));
  });
  addEventListener("popstate", () => {
    show(only ?? numbered(new URLSearchParams(location.search).get("step")) ?? fromHash() ?? 1, true);
  });
  for (const step of all(".step", main)) if (step.querySelector("form.ask")) ask(step, mine);
  frame(main);
  show(only ?? fromHash() ?? numbered(query.get("step")) ?? 1, !only && location.hash !== "");
}

/** `?only=step-3` or `?only=question-3`: that one alone, with a way to the whole lesson. Gives its number. */
function alone(main, asked, numbered) {
  const [, kind, text] = /^(step|question)-(\d+)$/.exec(asked) ?? [];
  const number = numbered(text);
  const step = number && document.getElementById(`step-${number}`);
  const line = main.querySelector(".whole");
  line.hidden = false;
  if (!step || (kind === "question" && !step.querySelector("form.ask"))) {
    line.textContent = fill(line.dataset.wordsMissing, { part: asked });
    main.prepend(line);
    return undefined;
  }
  root.classList.add("only", `only-${kind}`);
  line.querySelector("a").href = `./?step=${number}`;
  return number;
}

/** The link to a step, and the markup that puts it into another page. */
function share(main, slug, number) {
  const box = main.querySelector(".share");
  box.hidden = root.classList.contains("embed");
  const here = new URL(`./?step=${number}`, location.href);
  const kind = document.getElementById(`ask-${number}`) ? "question" : "step";
  const lab = new URL("../../../embed.js", location.href);
  const lang = root.lang.slice(0, 2);
  const title = document.querySelector("h1").textContent.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const [link, widget] = all("textarea", box);
  link.value = here;
  widget.value =
    `<script async src="${lab}"></script>\n<highwater-lab lesson="${slug}" ${kind}="${number}" lang="${lang}">\n` +
    `  <a href="${here}">${title}</a>\n</highwater-lab>`;
}

/** A question: its choices stand on the picture, its buttons beside it. */
function ask(step, mine) {
  const number = step.dataset.step;
  const form = step.querySelector("form.ask");
  const answer = step.querySelector("details.answer");
  const others = answer.querySelector("details.others");
  const judged = form.querySelector(".judged");
  const [check, just, again] = form.querySelectorAll("button");
  const choices = step.querySelector(".choices");
  const inputs = all("input", choices);
  const order = choices.querySelector(".order");
  const right = answer.querySelector(".key b")?.textContent ?? "";
  form.querySelector(".buttons").hidden = false;
  others.open = true;
  if (choices.dataset.kind === "offset") drag(choices.querySelector(".spots"), inputs);
  if (order) arrange(order);

  /** The choice as words of the page, undefined while there is none. */
  function guess() {
    if (order) return { pick: all("li", order).map((item) => item.dataset.value) };
    const chosen = inputs.filter((input) => input.checked);
    if (chosen.length === 0 && inputs[0].type === "radio") return undefined;
    return { pick: chosen.map((input) => input.value), chosen };
  }

  function judge() {
    if (order) {
      const ranks = all("li", order).map((item) => Number(item.dataset.rank));
      const wrong = ranks.findIndex((rank, place) => rank !== place);
      if (wrong < 0) return { good: true, why: [], said: "" };
      const item = all("li", order)[wrong];
      return { good: false, why: [item.dataset.value], said: item.querySelector("span").textContent };
    }
    const off = inputs.filter((input) => input.checked !== input.hasAttribute("data-right"));
    const chosen = inputs.filter((input) => input.checked);
    const why = inputs[0].type === "radio" ? chosen : off;
    const said = chosen.map((input) => input.getAttribute("aria-label")).join(", ") || "–";
    return { good: off.length === 0, why: off.length === 0 ? [] : why.map((input) => input.value), said };
  }

  function reveal(guessed, focus) {
    const { good, why, said } = guessed ? judge() : { good: false, why: [], said: "" };
    for (const reason of all(".reason", others)) {
      reason.classList.toggle("mine", reason.dataset.for.split(" ").some((value) => why.includes(value)));
    }
    judged.classList.toggle("good", good);
    judged.textContent = guessed ? fill(good ? judged.dataset.wordsRight : judged.dataset.wordsWrong, { guess: said, answer: right }) : "";
    ghost(guessed && !good ? inputs.find((input) => input.checked) : undefined);
    answer.open = true;
    check.hidden = just.hidden = true;
    again.hidden = false;
    if (!focus) return;
    judged.tabIndex = -1;
    (guessed ? judged : again).focus();
  }

  /** The guess stays beside the truth, as a dashed line on the picture. */
  function ghost(input) {
    const line = step.querySelector(".guess");
    const spot = input?.closest(".spot");
    line.hidden = choices.dataset.kind !== "offset" || !spot;
    if (spot) line.style.cssText = spot.style.cssText;
  }

  // Not by submitting the form: a sandbox without allow-forms forbids that.
  check.addEventListener("click", settle);
  for (const input of inputs) {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (!check.hidden) settle();
    });
  }

  function settle() {
    const made = guess();
    if (!made) {
      judged.textContent = judged.dataset.wordsFirst;
      inputs[0].focus();
      return;
    }
    mine.picks[number] = made.pick;
    keep();
    reveal(true, true);
  }
  just.addEventListener("click", () => {
    mine.picks[number] = "shown";
    keep();
    reveal(false, true);
  });
  again.addEventListener("click", () => {
    delete mine.picks[number];
    keep();
    answer.open = false;
    judged.textContent = "";
    judged.classList.remove("good");
    check.hidden = just.hidden = false;
    again.hidden = true;
    (inputs.find((input) => input.checked) ?? inputs[0] ?? check).focus();
  });
  restore(mine.picks[number]);

  function restore(pick) {
    if (pick === "shown") return reveal(false, false);
    if (!Array.isArray(pick)) return;
    if (order) {
      const items = pick.map((value) => all("li", order).find((item) => item.dataset.value === value));
      if (items.length !== order.children.length || items.some((item) => !item)) return;
      order.append(...items);
    } else {
      for (const input of inputs) input.checked = pick.includes(input.value);
      if (!guess()) return;
    }
    reveal(true, false);
  }
}

/** The mark on the axis follows the pointer to the nearest offset; arrow keys are those of radio buttons. */
function drag(spots, inputs) {
  const take = (event) => {
    const place = (input) => Math.abs(middle(input.closest(".spot")) - event.clientX);
    const near = inputs.reduce((best, input) => (place(input) < place(best) ? input : best));
    near.checked = true;
    near.focus({ preventScroll: true });
  };
  const middle = (spot) => {
    const { left, width } = spot.getBoundingClientRect();
    return left + width / 2;
  };
  spots.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    spots.setPointerCapture(event.pointerId);
    take(event);
  });
  spots.addEventListener("pointermove", (event) => {
    if (spots.hasPointerCapture(event.pointerId)) take(event);
  });
}

/** Buttons move an event up and down; so do the arrow keys on them. */
function arrange(order) {
  for (const button of all("button", order)) button.hidden = false;
  const move = (button, by) => {
    const item = button.closest("li");
    const beside = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!beside) return;
    if (by < 0) beside.before(item);
    else beside.after(item);
    button.focus();
    const place = [...order.children].indexOf(item) + 1;
    document.getElementById("said").textContent = `${place}: ${item.querySelector("span").textContent}`;
  };
  order.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) move(button, Number(button.dataset.move));
  });
  order.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const button = event.target.closest("button");
    if (!by || !button) return;
    event.preventDefault();
    move(button, by);
  });
}

/** The lab is loaded when it is asked for, not before. */
function frame(main) {
  for (const button of all("[data-lab]", main)) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const lab = document.createElement("iframe");
      lab.src = button.dataset.src;
      lab.title = button.dataset.title;
      lab.className = "lab-frame";
      button.closest(".step").append(lab);
      button.hidden = true;
      lab.focus();
    });
  }
}
