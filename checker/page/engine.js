// The checker's module and its texts. The same code in a worker and, where none may be started, in the page itself.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Loads the module at `address`; a browser that does not know streaming, or a host that names no type, does as well. */
export async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), {});
  return new Engine(instance.exports);
}

class Engine {
  constructor(exports) {
    this.exports = exports;
  }

  /** Asks a question; throws why it cannot be asked. */
  ask(question) {
    for (const byte of encoder.encode(question)) this.exports.input(byte);
    const why = this.text(this.exports.ask());
    if (why) throw new Error(why);
  }

  /** Goes on for about so many milliseconds; whether the search is over. */
  advance(milliseconds) {
    const end = performance.now() + milliseconds;
    do {
      if (this.exports.advance(2000) === 1) return true;
    } while (performance.now() < end);
    return false;
  }

  /** How far it is, by name. */
  report() {
    const lines = this.text(this.exports.report()).trimEnd().split("\n");
    return Object.fromEntries(lines.map((line) => line.split("=")));
  }

  /** The shortest way: the link that opens it, and its script; nothing where there is none. */
  way() {
    const told = this.text(this.exports.way());
    const end = told.indexOf("\n");
    return told.startsWith("?") ? { link: told.slice(0, end), script: told.slice(end + 1) } : { why: told };
  }

  text(length) {
    return decoder.decode(Uint8Array.from({ length }, (_, place) => this.exports.output(place)));
  }
}
