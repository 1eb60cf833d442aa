// The page of the checker: reads the question from the address and the form, lets it be searched, tells the answer.
const main = document.querySelector("main");
const form = document.querySelector("form");
const [ask, cancel] = form.querySelectorAll("button");
const place = (name) => document.getElementById(name);
const address = (name) => new URL(main.dataset[name], document.baseURI).href;
const say = (key, slots = {}) =>
  Object.entries(slots).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), main.dataset[key]);
const number = new Intl.NumberFormat("en");

// Settings that have no place in the form; they are shown, and asked with the rest.
let others = [];

function read() {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of query) {
    const field = form.elements.namedItem(name);
    if (name === "faults") {
      for (const item of value.split(",")) {
        const [kind, times] = item.split("=");
        const select = form.elements.namedItem(`fault.${kind}`);
        if (select) select.value = times ?? "1";
      }
    } else if (!field) {
      if (name !== "lang") others.push([name, value]);
    } else if (field.type === "checkbox") {
      field.checked = value === "true" || value === "on";
    } else {
      field.value = value;
      // A value that the form does not have is asked all the same, and the answer says what is wrong with it.
      if (field.value !== value) others.push([name, value]);
    }
  }
  // Faults that are named are all of them.
  if (query.has("faults")) {
    const named = query.get("faults").split(",").map((item) => item.split("=")[0]);
    for (const select of form.querySelectorAll("[name^='fault.']")) {
      if (!named.includes(select.name.slice(6))) select.value = "0";
    }
  }
  place("others").textContent = others.length ? say("others", { settings: others.map((one) => one.join("=")).join(", ") }) : "";
}

/** The question as name and value: what differs from the form's start is also the address. */
function question() {
  const given = new Map();
  const faults = [];
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.name.startsWith("fault.")) {
      if (field.value !== "0") faults.push(`${field.name.slice(6)}=${field.value}`);
    } else {
      given.set(field.name, field.type === "checkbox" ? String(field.checked) : field.value);
    }
  }
  for (const [name, value] of others) given.set(name, value);
  given.set("faults", faults.join(","));
  return given;
}

let running;

function show(report, began) {
  const seconds = (performance.now() - began) / 1000;
  place("progress").textContent = say("progress", {
    states: number.format(report.states),
    depth: report.depth,
    queue: number.format(report.queue),
    speed: number.format(Math.round(report.states / Math.max(seconds, 0.001))),
    seconds: seconds.toFixed(1),
    megabytes: Math.ceil(report.bytes / 1e6),
  });
  Object.assign(place("progress").dataset, report, { seconds });
}

function answer(report) {
  if (report.answer === "violated") return say("violated", { n: report.length });
  if (report.answer === "unknown") return say("stopped", { n: report.none_up_to });
  const told = say("holds", { states: number.format(report.states), depth: report.diameter });
  return report.bounds ? `${told} ${say("bounded")}` : told;
}

function finish(report, way) {
  running = undefined;
  cancel.disabled = true;
  ask.disabled = false;
  place("answer").textContent = report ? answer(report) : "";
  place("answer").dataset.answer = report?.answer ?? "";
  place("way").hidden = !way?.link;
  if (way?.link) {
    const lab = new URL("../../", document.baseURI);
    lab.search = `${way.link}&lang=${document.documentElement.lang.slice(0, 2)}`;
    place("open").href = lab.href;
    place("script").textContent = way.script;
  } else if (way) {
    place("answer").textContent = say("wrong", { why: way.why });
  }
}

function fail(key, why) {
  finish();
  place("answer").textContent = say(key, { why });
  place("answer").dataset.answer = "wrong";
}

/** In a worker. Gives false when none may be started (a frame without an origin, an old browser). */
function inWorker(text, began) {
  let worker;
  try {
    worker = new Worker(address("worker"), { type: "module" });
  } catch {
    return false;
  }
  const own = { stop: () => worker.terminate() };
  running = own;
  let report;
  let heard = false;
  worker.onmessage = ({ data }) => {
    heard = true;
    if (running !== own) return;
    if (data.error) return fail("wrong", data.error);
    if (!data.report) return;
    report = data.report;
    own.report = report;
    show(report, began);
    if (data.done) finish(report, data.way);
  };
  worker.onerror = () => {
    worker.terminate();
    if (running !== own) return;
    if (heard) fail("wrong", "the worker ended");
    else void inPage(text, began);
  };
  worker.postMessage({ engine: address("engine"), module: address("module"), question: text });
  return true;
}

/** In the page, slice by slice: between two slices it takes input and draws. */
async function inPage(text, began) {
  const own = { stop() {} };
  running = own;
  place("note").textContent = say("noworker");
  const turn = new MessageChannel();
  const next = () =>
    new Promise((done) => {
      turn.port1.onmessage = done;
      turn.port2.postMessage(0);
    });
  try {
    const { load } = await import(address("engine"));
    const search = await load(address("module"));
    search.ask(text);
    let done = false;
    let shown = 0;
    while (!done && running === own) {
      done = search.advance(12);
      own.report = search.report();
      if (done || performance.now() - shown > 100) {
        shown = performance.now();
        show(own.report, began);
        // A frame may be drawn here.
        await new Promise((drawn) => setTimeout(drawn));
      }
      await next();
    }
    if (running === own) finish(own.report, own.report.answer === "violated" ? search.way() : undefined);
  } catch (error) {
    if (running === own) fail("wrong", error.message);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  running?.stop();
  const asked = question();
  const query = new URLSearchParams(asked);
  try {
    history.replaceState(null, "", `?${query}`);
  } catch {
    // A document without an origin has an address that cannot be changed.
  }
  ask.disabled = true;
  cancel.disabled = false;
  place("answer").textContent = "";
  place("answer").dataset.answer = "";
  place("way").hidden = true;
  place("progress").textContent = say("loading");
  const text = [...asked].map((one) => one.join("=")).join("\n");
  const began = performance.now();
  if (!inWorker(text, began)) void inPage(text, began);
  cancel.focus();
});

cancel.addEventListener("click", () => {
  const report = running?.report;
  running?.stop();
  finish(report ?? { answer: "unknown", none_up_to: 0 });
  ask.focus();
});

read();
ask.disabled = false;
