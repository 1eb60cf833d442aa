// Starts the page: a file of its own, so that the content policy can refuse inline scripts.
// Trunk writes the names of the glue and of the module into the script element.
const WORDS = {
  en: {
    missing: "This browser has WebAssembly switched off or does not know it. Highwater runs its model of Kafka with it.",
    failed: "Highwater could not be loaded. Reload the page; if that does not help, the message below says why.",
    again: "Try again",
  },
  ko: {
    missing: "이 브라우저에서는 WebAssembly를 쓸 수 없습니다. Highwater의 Kafka 모델은 WebAssembly로 실행됩니다.",
    failed: "Highwater를 불러오지 못했습니다. 페이지를 새로 고쳐 보세요. 그래도 안 되면 아래 메시지가 원인입니다.",
    again: "다시 시도",
  },
  zh: {
    missing: "此浏览器无法使用 WebAssembly，而 Highwater 的 Kafka 模型需要它才能运行。",
    failed: "Highwater 加载失败。请刷新页面；如果仍然失败，下面的信息说明原因。",
    again: "重试",
  },
};

function words() {
  const shown = globalThis.first && document.documentElement.lang;
  const asked = shown || (new URLSearchParams(location.search).get("lang") ?? navigator.language ?? "en");
  return WORDS[asked.slice(0, 2)] ?? WORDS.en;
}

/** Where it is said: in place of "Loading", or over the first view, which stays. */
function place() {
  const found = document.getElementById("boot");
  if (found) return found;
  const made = document.createElement("div");
  made.className = "stopped";
  document.body.prepend(made);
  return made;
}

function say(sentence, detail) {
  const said = place();
  said.setAttribute("role", "alert");
  said.dataset.state = "failed";
  const paragraph = document.createElement("p");
  paragraph.textContent = sentence;
  said.replaceChildren(paragraph);
  if (detail) {
    const code = document.createElement("code");
    code.textContent = detail;
    const again = document.createElement("a");
    again.className = "btn";
    again.href = location.href;
    again.textContent = words().again;
    said.append(code, again);
  }
}

// The views that load later: one module for all of them, fetched when the first is opened (src/later.rs).
let later;

function laterModule() {
  later ??= (async () => {
    const name = document.querySelector("meta[name=later]").content;
    const glue = await import(new URL(`./${name}.js`, import.meta.url).href);
    await glue.default({ module_or_path: new URL(`./${name}_bg.wasm`, import.meta.url) });
    return glue;
  })();
  // Whoever opens it again tries again.
  later.catch(() => (later = undefined));
  return later;
}

class LaterView extends HTMLElement {
  static observedAttributes = ["scenario", "at", "position", "on", "frame", "folds", "record", "beside"];

  // For src/browser/later.rs and public/later_view.js.
  static module = laterModule;

  connectedCallback() {
    this.closest("details")?.addEventListener("toggle", () => this.attributeChangedCallback());
    this.attributeChangedCallback();
  }

  async attributeChangedCallback() {
    if (this.view) {
      this.view.changed();
      return;
    }
    const wanted = this.hasAttribute("on") || this.closest("details")?.open;
    if (!wanted || this.asked) return;
    this.asked = true;
    this.textContent = this.getAttribute("loading");
    try {
      const name = document.querySelector("meta[name=later]").content;
      const { viewOf } = await import(new URL(`./${name}_view.js`, import.meta.url).href);
      this.view = await viewOf(this, name);
      this.view.changed();
    } catch (error) {
      // Whoever opens it again tries again.
      this.textContent = `${this.getAttribute("failed")} ${error}`;
    }
    this.asked = false;
  }
}

customElements.define("later-view", LaterView);

// The dialog that makes a snippet for other pages is rarely asked for.
addEventListener("click", async (event) => {
  const button = event.target.closest?.("#embed-button");
  if (button) (await import("./embed-dialog.js")).open(button.dataset.query);
});

async function start() {
  // In the lab the first view is there before the module, and it is asked for when a person shows up: public/first.js.
  const { first } = globalThis;
  if (typeof WebAssembly !== "object") {
    await first?.shown;
    say(words().missing);
    return;
  }
  await first?.woken;
  const script = document.querySelector("script[data-wasm]");
  const [glueUrl, url] = [script.dataset.js, script.dataset.wasm].map((name) => new URL(name, import.meta.url).href);
  try {
    // In a widget what early.js shows comes first.
    const [glue, module] = await Promise.all([import(glueUrl), globalThis.early ? globalThis.early.then(() => url) : fetch(url)]);
    await first?.shown;
    await glue.default({ module_or_path: module });
    // The page takes the line away when its words have come.
  } catch (error) {
    console.error(error);
    first?.failed();
    say(words().failed, String(error));
  }
}

start();
