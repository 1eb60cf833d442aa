// <highwater-lab>: a link that becomes a widget when it comes near the window. The link inside stays for everybody who
// has no scripts; it is shown while the widget sleeps, in print and to reading software. See docs/embedding.md.
(() => {
  const base = new URL(".", document.currentScript?.src ?? document.baseURI);
  const START = "highwater:1?";
  // What belongs to HTML, or is read here; every other attribute is told to the widget, which says what is wrong with it.
  const OWN = /^(class|id|style|title|hidden|slot|role|dir|tabindex|sandbox|autoplay|theme|lang|lesson|step|(aria|data)-.*)$/;
  const awake = new Set();

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ":host{display:block}:host([hidden]){display:none}iframe{display:block;width:100%;border:0;height:600px}" +
      ":host{position:relative}iframe:not([data-ready]){position:absolute;top:0;left:0;opacity:0;pointer-events:none}" +
      ".on{display:none}" +
      "@media print{iframe{display:none}.on{display:contents}}",
  );

  /** The colours around an element: those of the nearest ground that can be seen, else what the page or the system asks for. */
  function theme(element) {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = getComputedStyle(at).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
      if (a > 0.5) return 0.3 * r + 0.6 * g + 0.1 * b < 128 ? "dark" : "light";
    }
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return /dark/.test(scheme) && (dark || !/light/.test(scheme)) ? "dark" : "light";
  }

  class Lab extends HTMLElement {
    connectedCallback() {
      if (!this.shadowRoot) {
        const root = this.attachShadow({ mode: "open" });
        root.adoptedStyleSheets = [sheet];
        root.append(document.createElement("slot"));
      }
      near.observe(this);
    }

    disconnectedCallback() {
      near.unobserve(this);
      awake.delete(this);
      this.frame?.remove();
      this.frame = undefined;
      this.shadowRoot.firstChild.className = "";
    }

    /** What the widget is asked to show: the link inside, and the attributes. */
    address() {
      const lang = this.lang || this.closest("[lang]")?.lang;
      if (this.hasAttribute("lesson")) return this.lesson(lang);
      const link = this.querySelector("a[href*='?']");
      const asks = new URLSearchParams(link ? new URL(link.href).search : "");
      const set = (name, value) => value && asks.set(name, value);
      for (const { name, value } of this.attributes) if (!OWN.test(name)) asks.set(name, value);
      if (/^(en|ko|zh)\b/i.test(lang)) set("lang", lang);
      else set("lang", this.getAttribute("lang"));
      set("height", this.getAttribute("height") ?? "auto");
      set("theme", this.fixed ?? theme(this));
      asks.delete("v");
      return new URL(`embed.html?${asks}&v=1`, base);
    }

    /** A lesson, or one step or one question of it. */
    lesson(lang) {
      const asks = new URLSearchParams({ embed: "", theme: this.fixed ?? theme(this) });
      for (const part of ["step", "question"]) if (this.hasAttribute(part)) asks.set("only", `${part}-${this.getAttribute(part)}`);
      const tongue = /^(en|ko|zh)\b/i.exec(lang)?.[1].toLowerCase() ?? "en";
      return new URL(`lessons/${tongue}/${encodeURIComponent(this.getAttribute("lesson"))}/?${asks}`, base);
    }

    wake() {
      if (this.frame) return;
      near.unobserve(this);
      const asked = this.getAttribute("theme") ?? "auto";
      this.fixed = asked === "auto" ? undefined : asked;
      const frame = document.createElement("iframe");
      this.frame = frame;
      const box = this.getAttribute("sandbox");
      if (box !== null) frame.sandbox = box;
      frame.title = this.title || this.querySelector("a")?.textContent.trim() || "Highwater";
      frame.loading = "eager";
      frame.src = this.address();
      this.origin = box !== null && !/allow-same-origin/.test(box) ? "null" : base.origin;
      this.shown = this.fixed ?? theme(this);
      this.shadowRoot.append(frame);
      awake.add(this);
      for (const part of [document.documentElement, document.body]) changed.observe(part, { attributes: true });
    }

    tell(text) {
      this.frame.contentWindow?.postMessage(START + text, this.origin === "null" ? "*" : this.origin);
    }

    /** The widget is as tall as that. */
    fit(height) {
      const fixed = Number(this.getAttribute("height"));
      this.frame.style.height = `${fixed >= 80 ? fixed : Math.min(Math.max(height, 80), 20000)}px`;
      if (this.frame.dataset.ready) return;
      this.frame.dataset.ready = "yes";
      this.shadowRoot.firstChild.className = "on";
      this.recolour();
      if (this.hasAttribute("autoplay") && this.getAttribute("autoplay") !== "off") seen.observe(this);
    }

    /** Follows the page around it. */
    recolour() {
      if (this.fixed || !this.frame.dataset.ready) return;
      const now = theme(this);
      if (now !== this.shown) this.tell(`theme=${now}`);
      this.shown = now;
    }
  }

  const near = new IntersectionObserver(
    (entries) => entries.forEach((entry) => entry.isIntersecting && entry.target.wake()),
    { rootMargin: "600px" },
  );
  const seen = new IntersectionObserver(
    (entries) =>
      entries.forEach((entry) => {
        if (!entry.isIntersecting) return;
        seen.unobserve(entry.target);
        if (!matchMedia("(prefers-reduced-motion: reduce)").matches) entry.target.tell("at=0&play=on");
      }),
    { threshold: 0.4 },
  );

  addEventListener("message", (event) => {
    if (typeof event.data !== "string" || !event.data.startsWith(START)) return;
    for (const lab of awake) {
      if (event.source !== lab.frame.contentWindow || event.origin !== lab.origin) continue;
      const height = new URLSearchParams(event.data.slice(START.length)).get("height");
      if (/^\d{1,5}$/.test(height)) lab.fit(Number(height));
    }
  });

  // A page that changes its colours does so by an attribute of its root or its body, sometimes in a transition.
  const recolour = () => awake.forEach((lab) => lab.recolour());
  const changed = new MutationObserver(() => {
    recolour();
    if (awake.size) setTimeout(recolour, 500);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);

  customElements.define("highwater-lab", Lab);
})();
