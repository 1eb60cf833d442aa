// A font of our own for pictures that are compared: every letter is a bar, as wide on every machine. Which fonts a system
// has, and how it draws them, is then no difference; what the words are is what the other tests look at.

/** Units of the square in which a letter is drawn. */
const SQUARE = 1000;

/** Letters as rectangles (left, right, height) and how far each moves on: nothing, a bar, a space, an ideograph. */
const GLYPHS = [
  { box: undefined, advance: 560 },
  { box: [70, 490, 620], advance: 560 },
  { box: undefined, advance: 300 },
  { box: [70, 930, 760], advance: 1000 },
] as const;

/** Which letters are which, every one of Unicode in its order: first, last, glyph. */
const LETTERS: [number, number, number][] = [
  [0x20, 0x20, 2],
  [0x21, 0x9f, 1],
  [0xa0, 0xa0, 2],
  [0xa1, 0x10ff, 1],
  [0x1100, 0x11ff, 3],
  [0x1200, 0x2e7f, 1],
  [0x2e80, 0x9fff, 3],
  [0xa000, 0xabff, 1],
  [0xac00, 0xd7ff, 3],
  [0xe000, 0xfeff, 1],
  [0xff00, 0xffef, 3],
  [0xfff0, 0xfffd, 1],
  [0x10000, 0x10ffff, 1],
];

/** Numbers of a table: `i16(-1)`, `u32(5)` and so on, one after another. */
const bytes = (size: 1 | 2 | 4) => (...values: number[]): Buffer => {
  const out = Buffer.alloc(size * values.length);
  // A negative number as its complement.
  values.forEach((value, place) => out.writeUIntBE(value < 0 ? value + 2 ** (8 * size) : value, place * size, size));
  return out;
};
const [u8, u16, u32] = [bytes(1), bytes(2), bytes(4)];

/** A rectangle as one outline of four corners on the line, each with its way from the one before. */
function outline(box: readonly [number, number, number] | undefined): Buffer {
  if (!box) return Buffer.alloc(0);
  const [left, right, height] = box;
  return Buffer.concat([
    u16(1, left, 0, right, height, 3, 0),
    u8(1, 1, 1, 1),
    // Up the left edge, along the top, down the right edge.
    u16(left, 0, right - left, 0),
    u16(0, height, 0, -height),
  ]);
}

/** The font, as a file. */
export function bars(): Buffer {
  const outlines = GLYPHS.map(({ box }) => outline(box));
  const places = outlines.reduce((all, one) => [...all, (all.at(-1) ?? 0) + one.length], [0]);
  const groups = LETTERS.flatMap(([first, last, glyph]) => [first, last, glyph]);
  const [ascent, descent] = [880, -220];
  const tables: Record<string, Buffer> = {
    "OS/2": Buffer.concat([
      u16(4, 560, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
      Buffer.alloc(10),
      u32(1, 0, 0, 0),
      Buffer.from("HIGH"),
      u16(0x40, 0x20, 0xffff, ascent, descent, 0, ascent, -descent),
      u32(1, 0),
      u16(500, 700, 0, 0x20, 1),
    ]),
    // Format 13: many letters, one glyph.
    cmap: Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(13, 0), u32(16 + 4 * groups.length, 0, LETTERS.length, ...groups)]),
    glyf: Buffer.concat(outlines),
    head: Buffer.concat([
      u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      u16(3, SQUARE),
      Buffer.alloc(16),
      u16(0, descent, SQUARE, ascent, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x10000), u16(ascent, descent, 0, SQUARE, 0, 0, SQUARE, 1, 0, 0, 0, 0, 0, 0, 0, GLYPHS.length)]),
    hmtx: u16(...GLYPHS.flatMap(({ box, advance }) => [advance, box?.[0] ?? 0])),
    loca: u32(...places),
    maxp: Buffer.concat([u32(0x10000), u16(GLYPHS.length, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: u16(0, 0, 6),
    post: u32(0x30000, 0, 0xff9c0032, 1, 0, 0, 0, 0),
  };
  const names = Object.keys(tables).sort();
  let place = 12 + 16 * names.length;
  const directory = [u32(0x10000), u16(names.length, 128, 3, 16 * names.length - 128)];
  const bodies: Buffer[] = [];
  for (const name of names) {
    const body = Buffer.concat([tables[name], Buffer.alloc((4 - (tables[name].length % 4)) % 4)]);
    directory.push(Buffer.from(name), u32(0, place, tables[name].length));
    bodies.push(body);
    place += body.length;
  }
  return Buffer.concat([...directory, ...bodies]);
}

/** A style sheet after which everything is written in it. */
export function inBars(): string {
  const font = bars().toString("base64");
  return `@font-face { font-family: Bars; src: url(data:font/ttf;base64,${font}) }
*, ::before, ::after, ::placeholder { font-family: Bars !important; font-synthesis: none !important; font-variant: normal !important }`;
}
