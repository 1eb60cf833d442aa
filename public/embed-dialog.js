// The dialog that makes the snippet for a page of one's own. Fetched when somebody asks for it; see docs/embedding.md.

const WORDS = {
  en: {
    title: "Embed this view",
    close: "Close",
    shown: "Timelines",
    controls: "Toggles for the reader",
    question: "Question before the outcome",
    questions: { "": "none", lost: "which records are lost", acknowledged: "which records are acknowledged", visible: "which records can be read", leader: "who leads at the end" },
    start: "Clock from",
    end: "Clock to",
    whole: "whole run",
    caption: "Caption",
    language: "Language",
    theme: "Colours",
    themes: { auto: "as the page around it", light: "light", dark: "dark" },
    width: "Width of the preview",
    widths: { 720: "column of a blog, 720 px", 360: "phone, 360 px", 1040: "wide, 1,040 px" },
    preview: "Preview",
    place: "Where does it go?",
    snippet: "Snippet",
    copy: "Copy",
    copied: "Copied",
    refused: "The browser did not allow it",
    tall: "At this width it is {height} px tall.",
    names: { acks: "Producer acks", lag: "Follower HW lag", visibility: "Consumer visibility", unclean: "unclean election", elr: "ELR" },
    image: "Picture for readers without scripts",
    save: "Save {file}",
    saved: "Saved {file}",
    failed: "The picture could not be made: {reason}",
    beside: "The snippet shows {file}: save it here and put it beside the post.",
    upload: "Save {file} here and upload it; where the platform gives it another address, write that in its place.",
    notes: {
      html: "The frame follows its content. Readers without scripts get the link.",
      frame: "For pages where scripts are not wanted: the frame keeps the height that is measured here.",
      hugo: "Hugo drops raw HTML from Markdown. The first part goes into layouts/shortcodes/highwater.html once, the second into the post.",
      jekyll: "Goes into the post as it is; the div keeps kramdown from touching what is inside.",
      mdx: "React passes unknown elements on. Load the script once, in the layout or (Docusaurus) under scripts in the configuration.",
      tistory: "Switch the editor to HTML and put it there; the usual mode takes it away. The editor may remove scripts, so this is a frame.",
      wordpress: "A “Custom HTML” block. WordPress removes it when the account may not use unfiltered HTML, as in most plans of WordPress.com; then use the picture with the link.",
      notion: "Type /embed and paste the address; drag the frame to its height. Where the page shows a card instead, upload the picture and give it the link.",
      medium: "Medium takes no frames of other sites and no SVG: upload the PNG, select it and give it the link.",
      velog: "velog takes no frames but those of three sites, so the picture links to the view.",
      devto: "dev.to takes frames of registered hosts only, so the picture links to the view.",
      netlify: "dev.to takes pages of netlify.app, and this copy is served there.",
    },
  },
  ko: {
    title: "이 화면을 글에 넣기",
    close: "닫기",
    shown: "타임라인",
    controls: "독자가 바꿀 수 있는 설정",
    question: "결과보다 먼저 묻는 질문",
    questions: { "": "없음", lost: "유실되는 레코드", acknowledged: "성공 응답을 받는 레코드", visible: "읽을 수 있는 레코드", leader: "끝에 리더인 브로커" },
    start: "시계 시작",
    end: "시계 끝",
    whole: "전체 실행",
    caption: "그림 설명",
    language: "언어",
    theme: "색",
    themes: { auto: "글이 실린 페이지에 맞춤", light: "밝게", dark: "어둡게" },
    width: "미리 보기 너비",
    widths: { 720: "블로그 본문, 720px", 360: "휴대전화, 360px", 1040: "넓게, 1,040px" },
    preview: "미리 보기",
    place: "어디에 넣을까?",
    snippet: "붙여 넣을 코드",
    copy: "복사",
    copied: "복사했다",
    refused: "브라우저가 허용하지 않았다",
    tall: "이 너비에서 높이는 {height}px이다.",
    names: { acks: "프로듀서 acks", lag: "팔로워 HW 지연", visibility: "컨슈머 가시성", unclean: "unclean election", elr: "ELR" },
    image: "스크립트를 쓰지 않는 독자에게 보일 그림",
    save: "{file} 저장",
    saved: "{file} 저장됨",
    failed: "그림을 만들지 못했다. {reason}",
    beside: "코드는 {file} 파일을 보여 준다. 여기서 저장해서 글과 같은 곳에 둔다.",
    upload: "{file} 파일을 여기서 저장해서 올린다. 플랫폼이 다른 주소를 붙이면 파일 이름 대신 그 주소를 쓴다.",
    notes: {
      html: "높이는 내용에 맞춰진다. 스크립트를 쓰지 않는 독자에게는 링크가 보인다.",
      frame: "스크립트를 쓰고 싶지 않은 페이지용. 높이는 여기서 잰 값으로 고정된다.",
      hugo: "Hugo는 Markdown 안의 HTML을 버린다. 앞부분은 layouts/shortcodes/highwater.html에 한 번만 넣고, 뒷부분을 글에 넣는다.",
      jekyll: "글에 그대로 넣는다. div는 kramdown이 안쪽을 고치지 못하게 한다.",
      mdx: "React는 모르는 요소를 그대로 내보낸다. 스크립트는 레이아웃이나 (Docusaurus라면) 설정의 scripts에 한 번만 넣는다.",
      tistory: "편집기를 HTML 모드로 바꾸고 넣는다. 기본 모드에서는 사라진다. 편집기가 스크립트를 지울 수 있어서 iframe을 쓴다.",
      wordpress: "‘사용자 정의 HTML’ 블록에 넣는다. 필터 없는 HTML을 쓸 수 없는 계정(WordPress.com의 요금제 대부분)에서는 지워지므로, 그때는 그림과 링크를 쓴다.",
      notion: "/embed를 입력하고 주소를 붙여 넣은 뒤 높이를 끌어서 맞춘다. 카드만 보이는 곳에서는 그림을 올리고 링크를 건다.",
      medium: "Medium은 다른 사이트의 iframe도 SVG도 받지 않는다. PNG를 올리고 선택해서 링크를 건다.",
      velog: "velog는 세 사이트의 iframe만 받으므로, 그림에 링크를 건다.",
      devto: "dev.to는 등록된 호스트의 iframe만 받으므로, 그림에 링크를 건다.",
      netlify: "dev.to는 netlify.app의 페이지를 받고, 이 사본은 거기에 있다.",
    },
  },
  zh: {
    title: "嵌入此视图",
    close: "关闭",
    shown: "时间线",
    controls: "读者可以切换的设置",
    question: "在结果之前提出的问题",
    questions: { "": "不提问", lost: "哪些记录会丢失", acknowledged: "哪些记录收到成功应答", visible: "哪些记录能被读到", leader: "最后由谁担任 leader" },
    start: "时钟从",
    end: "时钟到",
    whole: "整个运行",
    caption: "图注",
    language: "语言",
    theme: "配色",
    themes: { auto: "跟随所在页面", light: "浅色", dark: "深色" },
    width: "预览宽度",
    widths: { 720: "博客正文，720 px", 360: "手机，360 px", 1040: "宽版，1,040 px" },
    preview: "预览",
    place: "放在哪里？",
    snippet: "代码片段",
    copy: "复制",
    copied: "已复制",
    refused: "浏览器不允许复制",
    tall: "在此宽度下高 {height} px。",
    names: { acks: "生产者 acks", lag: "Follower HW 滞后", visibility: "消费者可见性", unclean: "unclean election", elr: "ELR" },
    image: "给不运行脚本的读者看的图片",
    save: "保存 {file}",
    saved: "已保存 {file}",
    failed: "无法生成图片：{reason}",
    beside: "代码片段引用 {file}：在此保存，并与文章放在一起。",
    upload: "在此保存 {file} 并上传；如果平台给了它别的地址，请把文件名换成那个地址。",
    notes: {
      html: "高度随内容变化。不运行脚本的读者会看到链接。",
      frame: "用于不想引入脚本的页面：高度固定为这里量得的值。",
      hugo: "Hugo 会丢弃 Markdown 中的 HTML。第一部分放进 layouts/shortcodes/highwater.html（只需一次），第二部分放进文章。",
      jekyll: "原样放进文章；外面的 div 让 kramdown 不改动其中的内容。",
      mdx: "React 会原样输出未知的元素。脚本只需在布局中引入一次，Docusaurus 则写在配置的 scripts 里。",
      tistory: "把编辑器切到 HTML 模式后放入；普通模式会把它去掉。编辑器可能删除脚本，所以这里用 iframe。",
      wordpress: "放进“自定义 HTML”区块。没有“未过滤 HTML”权限的账号（WordPress.com 的多数套餐）会被删掉，那时请用带链接的图片。",
      notion: "输入 /embed 并粘贴地址，再拖动到合适的高度。若只显示为卡片，请上传图片并加上链接。",
      medium: "Medium 不接受其他网站的 iframe，也不接受 SVG：上传 PNG，选中它并加上链接。",
      velog: "velog 只接受三个网站的 iframe，所以用图片链接到此视图。",
      devto: "dev.to 只接受已登记网站的 iframe，所以用图片链接到此视图。",
      netlify: "dev.to 接受 netlify.app 的页面，而这个副本就在那里。",
    },
  },
};

const TIMELINES = ["acks", "lag", "visibility"];
const TOGGLES = ["acks", "min.insync.replicas", "unclean", "elr"];
const PLACES = {
  html: "HTML",
  frame: "HTML, iframe",
  hugo: "Hugo",
  jekyll: "Jekyll",
  mdx: "MDX",
  tistory: "Tistory",
  wordpress: "WordPress",
  notion: "Notion",
  medium: "Medium",
  velog: "velog",
  devto: "dev.to",
};

// Places whose snippet has room for a picture that only some readers see, and those that take nothing but pictures; those
// take no SVG.
const AROUND = ["html", "hugo", "jekyll", "mdx", "wordpress"];
const PICTURES = ["notion", "medium", "velog", "devto"];

const STYLE = `
.embed-dialog { width: min(1180px, 96vw); max-height: 94vh; padding: 0; border: 1px solid var(--rule-mark); border-radius: var(--radius); background: var(--paper); color: var(--ink); }
.embed-dialog::backdrop { background: var(--ink); opacity: .45; }
.embed-dialog > form { display: grid; grid-template-columns: 300px minmax(0, 1fr); gap: 0 24px; padding: 16px 20px 20px; }
.embed-dialog .head { grid-column: 1 / -1; display: flex; justify-content: space-between; align-items: center; border-bottom: 1px solid var(--rule); padding-bottom: 10px; margin-bottom: 14px; }
.embed-dialog h2 { font: var(--t-title); margin: 0; }
.embed-dialog h3, .embed-dialog legend, .embed-dialog .name { font: var(--t-small); color: var(--ink-2); margin: 0 0 4px; padding: 0; display: block; }
.embed-dialog fieldset, .embed-dialog .row { display: block; margin-bottom: 14px; }
.embed-dialog .two { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.embed-dialog .field { width: 100%; }
.embed-dialog .tick { display: flex; gap: 8px; align-items: center; min-height: 28px; font-size: .875rem; }
.embed-dialog .tick input { margin: 0; accent-color: var(--select); }
.embed-dialog .show { border: 1px dashed var(--rule-mark); overflow: auto; max-height: 46vh; background: var(--well); }
.embed-dialog iframe { display: block; border: 0; margin: 0 auto; background: var(--paper); }
.embed-dialog .result { display: grid; gap: 10px; margin-top: 14px; }
.embed-dialog textarea { width: 100%; min-height: 132px; font: 400 .8125rem/1.5 var(--mono); padding: 8px 10px; border: 1px solid var(--rule-mark); border-radius: var(--radius); background: var(--well); color: var(--ink); resize: vertical; }
.embed-dialog .note { font: var(--t-small); color: var(--ink-2); margin: 0; max-width: 76ch; }
.embed-dialog .line .row { margin: 0; }
.embed-dialog .line { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: end; justify-content: space-between; }
@media (max-width: 899px) { .embed-dialog > form { grid-template-columns: minmax(0, 1fr); padding: 12px 14px; } .embed-dialog .tick { min-height: var(--target); } }
`;

let open_dialog;

/** Opens the dialog for a view: the query of its link. */
export function open(query) {
  open_dialog?.remove();
  open_dialog = new Dialog(new URLSearchParams(query)).show();
}

/** An element with attributes and what is in it. */
function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

class Dialog {
  constructor(view) {
    const page = document.documentElement.lang.slice(0, 2);
    this.words = WORDS[page] ?? WORDS.en;
    this.lang = view.get("lang")?.slice(0, 2) ?? page;
    for (const name of ["lang", "v"]) view.delete(name);
    this.view = view;
    this.title = document.getElementById("title")?.textContent ?? "Highwater";
    this.base = new URL(".", location.href.split(/[?#]/)[0]).href;
    this.height = 640;
    // A name for the picture that every file system and address takes as it is.
    const name = view.get("scenario") ?? view.get("recording") ?? (view.has("script") ? this.title : "acknowledged-by-one");
    this.file = `highwater-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "script"}`;
  }

  show() {
    if (!Dialog.sheet) {
      Dialog.sheet = new CSSStyleSheet();
      Dialog.sheet.replaceSync(STYLE);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, Dialog.sheet];
    }
    const dialog = element("dialog", { class: "embed-dialog", "aria-labelledby": "embed-title" });
    this.form = element("form", { method: "dialog" }, this.head(), this.choices(), this.outcome());
    dialog.append(this.form);
    document.body.append(dialog);
    this.form.addEventListener("input", () => this.change());
    this.form.addEventListener("submit", (event) => event.submitter?.value !== "close" && event.preventDefault());
    dialog.addEventListener("close", () => {
      removeEventListener("message", this.heard);
      dialog.remove();
      document.getElementById("embed-button")?.focus();
    });
    addEventListener("message", (this.heard = (event) => this.hear(event)));
    dialog.showModal();
    this.refresh();
    return dialog;
  }

  head() {
    const { title, close } = this.words;
    return element(
      "div",
      { class: "head" },
      element("h2", { id: "embed-title" }, title),
      element("button", { class: "btn", value: "close", formnovalidate: true }, close),
    );
  }

  choices() {
    const { words } = this;
    const ticks = (name, legend, values, label) =>
      element(
        "fieldset",
        {},
        element("legend", {}, legend),
        ...values.map((value) =>
          element("label", { class: "tick" }, element("input", { type: "checkbox", name, value, checked: true }), label(value)),
        ),
      );
    const field = (name, label, placeholder) =>
      element("label", { class: "row" }, element("span", { class: "name" }, label), element("input", { class: "field", name, placeholder, autocomplete: "off" }));
    const languages = { en: "English", ko: "한국어", zh: "中文" };
    return element(
      "div",
      {},
      ticks("show", words.shown, TIMELINES, (value) => words.names[value]),
      ticks("controls", words.controls, TOGGLES, (value) => (value === "unclean" || value === "elr" ? words.names[value] : value)),
      this.select("question", words.question, words.questions, ""),
      element("div", { class: "two" }, field("start", words.start, words.whole), field("end", words.end, words.whole)),
      field("caption", words.caption),
      element("div", { class: "two" }, this.select("lang", words.language, languages, this.lang), this.select("theme", words.theme, words.themes, "auto")),
    );
  }

  outcome() {
    const { words } = this;
    this.frame = element("iframe", { title: words.preview });
    this.tall = element("p", { class: "note", role: "status" });
    this.note = element("p", { class: "note", id: "embed-note" });
    this.text = element("textarea", { readonly: true, spellcheck: "false", id: "embed-text", "aria-describedby": "embed-note" });
    this.copy = element("button", { type: "button", class: "btn main", "aria-live": "polite" }, words.copy);
    this.copy.addEventListener("click", () => this.hand());
    const tick = element("input", { type: "checkbox", name: "image" });
    this.image = element("label", { class: "tick", hidden: true }, tick, words.image);
    this.save = element("button", { type: "button", class: "btn", id: "embed-save", "aria-live": "polite", hidden: true });
    this.save.addEventListener("click", () => this.draw());
    return element(
      "div",
      {},
      this.select("width", words.width, words.widths, "720"),
      element("div", { class: "show", tabindex: "0", role: "region", "aria-label": words.preview }, this.frame),
      this.tall,
      element(
        "div",
        { class: "result" },
        element("div", { class: "line" }, this.select("place", words.place, PLACES, "html"), this.copy),
        this.note,
        element("div", { class: "line" }, this.image, this.save),
        element("label", { class: "name", for: "embed-text" }, words.snippet),
        this.text,
      ),
    );
  }

  select(name, label, options, chosen) {
    const made = Object.entries(options).map(([value, text]) => element("option", { value, selected: value === chosen }, text));
    // Keys that are numbers come first and in order, whatever was meant: the widest is last, the usual one is chosen.
    return element("label", { class: "row" }, element("span", { class: "name" }, label), element("select", { class: "field", name }, ...made));
  }

  /** What was typed is taken when the hand rests. */
  change() {
    clearTimeout(this.due);
    this.due = setTimeout(() => this.refresh(), 250);
  }

  /** What the author chose, without what goes without saying. */
  chosen() {
    const data = new FormData(this.form);
    const all = (name, values) => {
      const list = data.getAll(name);
      return list.length === values.length ? undefined : list.join(",") || (name === "controls" ? "none" : undefined);
    };
    const word = (name) => data.get(name)?.trim() || undefined;
    return {
      show: all("show", TIMELINES),
      controls: all("controls", TOGGLES),
      question: word("question"),
      start: word("start"),
      end: word("end"),
      caption: word("caption"),
      lang: word("lang"),
      theme: word("theme") === "auto" ? undefined : word("theme"),
    };
  }

  refresh() {
    const chosen = this.chosen();
    const width = new FormData(this.form).get("width");
    this.frame.style.width = `${width}px`;
    // The page around the preview is this one.
    const theme = chosen.theme ?? document.documentElement.dataset.theme;
    const asked = this.address("embed.html", { ...chosen, theme, height: "auto" });
    if (this.asked !== asked) this.frame.src = this.asked = asked;
    this.write();
  }

  /** The address of a page with the view and more. */
  address(page, more = {}) {
    const asks = new URLSearchParams(this.view);
    for (const [name, value] of Object.entries(more)) if (value !== undefined) asks.set(name, value);
    // Colons, commas and slashes are easier to read and as safe.
    const query = asks.toString().replace(/%(3A|2C|2F|7E|21)/g, (code) => decodeURIComponent(code));
    return `${this.base}${page}?${query ? `${query}&` : ""}v=1`;
  }

  hear(event) {
    if (event.source !== this.frame.contentWindow || event.origin !== location.origin) return;
    const height = /^highwater:1\?height=(\d{1,5})$/.exec(event.data)?.[1];
    if (!height) return;
    this.height = Number(height);
    this.frame.style.height = `${height}px`;
    this.tall.textContent = this.words.tall.replace("{height}", height);
    this.write();
  }

  write() {
    const data = new FormData(this.form);
    const place = data.get("place");
    const [text, note] = this.snippet(place, this.chosen());
    const file = this.named(place);
    this.image.hidden = !AROUND.includes(place);
    this.save.hidden = !file;
    this.save.textContent = file ? this.words.save.replace("{file}", file) : "";
    this.text.value = text;
    this.note.textContent = note;
    this.copy.textContent = this.words.copy;
  }

  /** The name of the picture that the snippet for a platform shows; none when it shows none. */
  named(place) {
    if (PICTURES.includes(place)) return `${this.file}.png`;
    return AROUND.includes(place) && new FormData(this.form).has("image") ? `${this.file}.svg` : undefined;
  }

  /** Hands out the picture that the snippet shows. */
  async draw() {
    const { words } = this;
    const file = this.named(new FormData(this.form).get("place"));
    const chosen = this.chosen();
    const lang = chosen.lang === "zh" ? "zh-Hans" : (chosen.lang ?? "en");
    const query = new URL(this.address("", chosen)).search;
    try {
      const glue = await customElements.get("later-view").module();
      await glue.picture(lang, file.endsWith(".svg") ? "svg" : "png", file, query, this.base, "auto");
      this.save.textContent = words.saved.replace("{file}", file);
    } catch (error) {
      this.save.textContent = words.failed.replace("{reason}", typeof error === "string" ? error : error.message);
    }
  }

  /** The snippet for a platform, and what its author has to know. */
  snippet(place, chosen) {
    const { words, title, base } = this;
    const notes = words.notes;
    const attribute = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
    const link = this.address("", { lang: chosen.lang });
    const attributes = Object.entries(chosen)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${name}="${attribute(value)}"`)
      .join("");
    const script = `<script async src="${base}embed.js"></script>`;
    const file = this.named(place);
    const image = (end) => (file ? `<img src="${file}" alt="${attribute(title)}"${end}>` : attribute(title));
    const inner = `<a href="${attribute(link)}">${image(place === "mdx" ? " /" : "")}</a>`;
    const upload = words.upload.replace("{file}", file);
    const lab = `<highwater-lab${attributes}>\n  ${inner}\n</highwater-lab>`;
    const frame = `<iframe src="${attribute(this.address("embed.html", chosen))}" title="${attribute(title)}" loading="lazy" style="width:100%;height:${this.height}px;border:0"></iframe>`;
    // A picture that is a link, in Markdown: brackets of the title would end it.
    const picture = `[![${title.replace(/[[\]\\]/g, "\\$&")}](${file})](${link})`;
    const note = file ? `${notes[place]} ${words.beside.replace("{file}", file)}` : notes[place];
    switch (place) {
      case "frame":
      case "tistory":
        return [frame, note];
      case "hugo":
        return [
          `${script}\n<highwater-lab {{ .Get 0 | safeHTMLAttr }}>{{ .Inner | safeHTML }}</highwater-lab>\n\n{{< highwater \`${attributes.trim()}\` >}}${inner}{{< /highwater >}}`,
          note,
        ];
      case "jekyll":
        return [`<div>\n${script}\n${lab}\n</div>`, note];
      case "mdx":
        return [`<script async src="${base}embed.js" />\n\n${lab}`, note];
      case "notion":
        return [`${this.address("embed.html", chosen)}\n\n${link}`, `${notes.notion} ${upload}`];
      case "medium":
        return [link, `${notes.medium} ${upload}`];
      case "devto":
        return new URL(base).hostname.endsWith(".netlify.app")
          ? [`{% embed ${this.address("embed.html", chosen)} %}`, notes.netlify]
          : [picture, `${notes.devto} ${upload}`];
      case "velog":
        return [picture, `${notes.velog} ${upload}`];
      default:
        return [`${script}\n${lab}`, note];
    }
  }

  async hand() {
    try {
      await navigator.clipboard.writeText(this.text.value);
      this.copy.textContent = this.words.copied;
    } catch {
      this.text.select();
      this.copy.textContent = this.words.refused;
    }
  }
}
