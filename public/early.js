// What a widget shows while the model is on its way: its name, the question or what its run is made of, and what its
// author wrote. It comes from the address and from what xtask/src/early.rs puts in here, goes when the widget has drawn,
// and stays, with the way into the lab, where the model cannot run. A link that was harmed on its way is left to the model.
(() => {
  const FILLED = { words: {}, scenarios: {} };
  const WIDGET = /^(show|controls|start|end|question|caption|theme|autoplay|height)$/;
  const LINK = /^(scenario|script|recording|at|record|open|lang|v|b|b\..*|lesson|step)$/;
  // As many lines as are read before the model is here.
  const LINES = 20;
  // The signs of a script in a link: see docs/links.md.
  const MARKS = { _: "_", "~": "~", "!": "!", p: "%", s: "+", a: "&", h: "#", q: '"', t: "\t", r: "\r", e: "", n: "" };

  const asks = new Map();
  for (const [name, value] of new URLSearchParams(location.search)) {
    if (!/^[a-z][a-z.]*$/i.test(name)) return;
    if (!asks.has(name.toLowerCase())) asks.set(name.toLowerCase(), value);
  }
  const tongue = [asks.get("lang"), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => FILLED.words[tag]) ?? "en";
  const words = FILLED.words[tongue];
  const theme = asks.get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  /** The lines of a script from its short form. */
  function lengthen(short) {
    const lines = short.match(/(?:![^]?|[^~!])+/g) ?? [];
    return lines.map((line) => {
      const plain = line.replace(/^!v/, "").replace(/!([^]?)|_/g, (mark, letter) => (mark === "_" ? " " : (MARKS[letter] ?? mark)));
      if (line.startsWith("!v")) return plain;
      const timed = (_, after, time) => `${after ? "after" : "at"} ${time}${/^\d+$/.test(time) ? "ms" : ""} `;
      return plain.replace(/^(-?)(\d\S*) /, timed).replace(/^\./, "then ");
    });
  }

  /** An element with a text, when there is one. */
  function element(name, text, kind) {
    if (!text) return [];
    const made = document.createElement(name);
    made.textContent = text;
    made.className = kind;
    return [made];
  }

  const script = asks.get("script");
  const known = FILLED.scenarios[asks.get("scenario") ?? (script || asks.has("recording") ? "" : FILLED.first)];
  const lines = script ? lengthen(script) : (known?.script.split("\n") ?? []);
  const title = known?.[tongue][0] ?? lines.find((line) => line.startsWith("title "))?.slice(6);
  // What the link sets comes first, and takes the place of what the script sets.
  const set = [...asks].filter(([name]) => !WIDGET.test(name) && !LINK.test(name));
  const steps = lines.filter((line) => line && !line.startsWith("title ") && !set.some(([name]) => line.startsWith(`set ${name}=`)));
  const run = [...set.map(([name, value]) => `set ${name}=${value}`), ...steps];
  if (run.length > LINES) run.splice(LINES, run.length, "…");
  // The line about a scenario would answer a question; its script is what happens to the cluster, and no answer.
  const question = asks.get("question");
  const [kind, ...asked] = question?.split(":") ?? [];
  const link = new URLSearchParams([...asks].filter(([name]) => !WIDGET.test(name)));
  const open = element("a", words.open, "");
  for (const way of open) Object.assign(way, { href: `./?${link}`, target: "_blank", rel: "noopener" });
  const place = document.createElement("main");
  place.className = "widget early";
  place.append(
    ...element("h1", title, ""),
    ...(question === undefined
      ? element("p", known?.[tongue][1], "")
      : element("p", asked.join(":").trim() || words.ask[kind.trim().toLowerCase()], "asked")),
    ...element("p", run.join("\n"), "mono"),
    ...element("p", asks.get("caption"), "w-caption"),
    ...open,
  );
  const boot = document.getElementById("boot");
  // A page with embed.js shows its own link until the widget has drawn.
  const unseen = parent !== window && asks.get("height") === "auto";
  if (unseen || !boot || place.childElementCount < 2) return;
  boot.before(place);
  // The widget waits out of sight until its picture is drawn, so that nothing moves under the reader's eyes.
  new MutationObserver((_, watch) => {
    if (!document.querySelector("#g-shapes > *, #stopped")) return;
    watch.disconnect();
    place.remove();
  }).observe(document.body, { childList: true, subtree: true });
  // The module is fetched once this is seen, so that it takes no part of a slow line from it; boot.js waits for that. A
  // frame outside the window is not painted, nor is a hidden page.
  globalThis.early = new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, parent !== window || document.hidden ? 500 : 3000);
  });
})();
