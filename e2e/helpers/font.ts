// A font of our own for tests: every letter of ASCII is a box, twice as wide as it is tall, so that words that come to be
// written in it need many more lines.

const UNITS = 1000;
const ADVANCE = 2000;
/** Space to tilde. */
const LETTERS = { first: 0x20, last: 0x7e };
const GLYPHS = LETTERS.last - LETTERS.first + 2;

/** Big-endian numbers: each is `[bytes, value]`. */
function bytes(...fields: [number, number][]): Buffer {
  const out = Buffer.alloc(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    if (value < 0) out.writeIntBE(value, at, size);
    else out.writeUIntBE(value, at, size);
    at += size;
  }
  return out;
}

const short = (...values: number[]): [number, number][] => values.map((value) => [2, value]);
const long = (...values: number[]): [number, number][] => values.map((value) => [4, value]);

/** A square from 0 to 700: one contour, four points on the curve. */
const square = bytes(...short(1, 0, 0, 700, 700, 3, 0), [1, 1], [1, 1], [1, 1], [1, 1], ...short(0, 700, 0, -700, 0, 0, 700, 0), ...short());

function tables(): Record<string, Buffer> {
  const glyph = Buffer.concat([square, Buffer.alloc((4 - (square.length % 4)) % 4)]);
  const loca = Array.from({ length: GLYPHS + 1 }, (_, id) => (id < 2 ? 0 : glyph.length));
  const { first, last } = LETTERS;
  return {
    "OS/2": bytes(
      ...short(4, ADVANCE, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0),
      ...Array.from({ length: 10 }, (): [number, number] => [1, 0]),
      ...long(1, 0, 0, 0, 0x20202020),
      ...short(0x40, first, last, 800, -200, 90, 800, 200),
      ...long(1, 0),
      ...short(500, 700, 0, 0x20, 1),
    ),
    cmap: bytes(
      ...short(0, 1, 3, 1),
      ...long(12),
      ...short(4, 32, 0, 4, 4, 1, 0, last, 0xffff, 0, first, 0xffff, (1 - first) & 0xffff, 1, 0, 0),
    ),
    glyf: glyph,
    head: bytes(...long(0x10000, 0x10000, 0, 0x5f0f3cf5), ...short(3, UNITS), [4, 0], [4, 0], [4, 0], [4, 0], ...short(0, 0, 700, 700, 0, 8, 2, 1, 0)),
    hhea: bytes(...long(0x10000), ...short(800, -200, 90, ADVANCE, 0, 0, 700, 1, 0, 0, 0, 0, 0, 0, 0, 1)),
    hmtx: bytes(...short(ADVANCE, 0), ...Array.from({ length: GLYPHS - 1 }, (): [number, number] => [2, 0])),
    loca: bytes(...long(...loca)),
    maxp: bytes(...long(0x10000), ...short(GLYPHS, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)),
    name: bytes(...short(0, 0, 6)),
    post: bytes(...long(0x30000, 0), ...short(-75, 50), ...long(0, 0, 0, 0, 0)),
  };
}

function sum(table: Buffer): number {
  let total = 0;
  for (let at = 0; at < table.length; at += 4) total = (total + Buffer.concat([table.subarray(at, at + 4), Buffer.alloc(4)]).readUInt32BE(0)) >>> 0;
  return total;
}

/** The file, as TrueType. */
export function wideFont(): Buffer {
  const made = Object.entries(tables());
  const head = bytes(...long(0x10000), ...short(made.length, 128, 3, made.length * 16 - 128));
  const rows: Buffer[] = [];
  const bodies: Buffer[] = [];
  let at = 12 + made.length * 16;
  for (const [name, table] of made) {
    rows.push(Buffer.concat([Buffer.from(name), bytes(...long(sum(table), at, table.length))]));
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    bodies.push(padded);
    at += padded.length;
  }
  return Buffer.concat([head, ...rows, ...bodies]);
}
