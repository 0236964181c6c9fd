import { u16, u32 } from './legacy-sheet-files.ts';
import { summary } from './office-files.ts';
import { oleOf } from './ole-file.ts';

/** A record of slides of before 2007. */
export function slideRecord(type: number, content: Buffer, instance = 0): Buffer {
  return Buffer.concat([u16((instance << 4) | 0xf, type), u32(content.length), content]);
}
const holder = (type: number, ...records: readonly Buffer[]) => slideRecord(type, Buffer.concat(records));

/** A text with its header: kind 0 is a title, 1 the body, 2 notes, 4 any, 5 a subtitle, 6 the title of the show. */
export function text(kind: number, chars: string, ...more: readonly Buffer[]): Buffer {
  const isWide = /[^\0-\xff]/.test(chars);
  const bytes = Buffer.from(chars, isWide ? 'utf16le' : 'latin1');
  return Buffer.concat([slideRecord(0xf9f, u32(kind)), slideRecord(isWide ? 0xfa0 : 0xfa8, bytes), ...more]);
}

/** Depths of paragraphs: characters, depth, and whether they have a bullet. */
export function levels(...runs: readonly (readonly [number, number, boolean?])[]): Buffer {
  const all = runs.map(([chars, depth, bullet]) =>
    // Runs with an alignment and two tab stops, so that their members must be counted.
    Buffer.concat([
      u32(chars),
      u16(depth),
      u32((bullet === undefined ? 0 : 1) | (1 << 11) | (1 << 20)),
      ...(bullet === undefined ? [] : [u16(bullet ? 1 : 0)]),
      u16(2),
      u16(2, 0, 0, 0, 0),
    ]),
  );
  return slideRecord(0xfa1, Buffer.concat(all));
}

/** A stand-in for the number of the slide, at a character. */
export const slideNumber = (at: number) => slideRecord(0xfd8, u32(at));

type ShapeOptions = {
  /** 7 is a date, 8 a number, 9 a footer, 0x0b the picture of the slide. */
  readonly placeholder?: number;
  readonly isHidden?: boolean;
  /** In a table: left and top. */
  readonly place?: readonly [number, number];
};

export function slideShape(texts: Buffer, { placeholder, isHidden = false, place }: ShapeOptions = {}): Buffer {
  const hidden = Buffer.concat([u16(0x3bf), u32(0x00020002)]);
  return holder(
    0xf004,
    slideRecord(0xf00a, Buffer.alloc(8)),
    ...(isHidden ? [slideRecord(0xf00b, hidden, 1)] : []),
    ...(place === undefined ? [] : [slideRecord(0xf00f, u32(...place, 0, 0))]),
    ...(placeholder === undefined
      ? []
      : [holder(0xf011, slideRecord(0xbc3, Buffer.concat([u32(0), Buffer.of(placeholder, 0, 0, 0)])))]),
    holder(0xf00d, texts),
  );
}

/** A shape that shows a text of the list of slides. */
export const referredShape = (index: number) => slideShape(slideRecord(0xf9e, u32(index)));

export const group = (...shapes: readonly Buffer[]) => holder(0xf003, ...shapes);
export const slideTable = (...cells: readonly Buffer[]) =>
  group(holder(0xf004, slideRecord(0xf122, Buffer.concat([u16(0x39f), u32(1)]), 1)), ...cells);

export type LegacySlide = {
  readonly shapes: readonly Buffer[];
  readonly isHidden?: boolean;
  /** Texts of the list of slides. */
  readonly outline?: readonly Buffer[];
  readonly notes?: readonly Buffer[];
};

export type LegacyShow = {
  /** Addresses and names of links. */
  readonly links?: readonly (readonly [string, string])[];
  /** Where the file says that it is encrypted. */
  readonly encryption?: 'user' | 'edit' | 'summary';
  /** Without the stream of the user, the last edit is looked for. */
  readonly hasUser?: boolean;
  /** Slides as an edit before the last one left them. */
  readonly earlier?: readonly LegacySlide[];
  /** Where the first edit says that one before it stands. */
  readonly before?: 'nowhere' | 'itself';
};

/** Slides of before 2007 by the records that a reader of text asks for, too few for PowerPoint. */
export function pptOf(slides: readonly LegacySlide[], options: LegacyShow = {}): Buffer {
  const { encryption, hasUser = true, earlier = [], before = 'nowhere' } = options;
  const records: Buffer[] = [];
  let length = 0;
  const put = (record: Buffer): number => {
    records.push(record);
    length += record.length;
    return length - record.length;
  };
  let edit = 0;
  const states = earlier.length > 0 ? [earlier, slides] : [slides];
  for (const [number, state] of states.entries()) {
    const objects = objectsOf(state, number === states.length - 1 ? options.links : []);
    const places = new Map<number, number>();
    // In the file, slides stand against their order.
    for (const [id, object] of [...objects].reverse()) places.set(id, put(object));
    const entries = [...places].map(([id, place]) => u32(id + 2 ** 20, place));
    const directory = put(slideRecord(0x1772, Buffer.concat(entries)));
    const last = number > 0 ? edit : before === 'itself' ? length : 0;
    const key = encryption === 'edit' ? u32(9) : Buffer.alloc(0);
    edit = put(slideRecord(0xff5, Buffer.concat([u32(0, 0, last, directory, 1, 0, 0), key])));
  }
  const user = slideRecord(0xff6, u32(20, encryption === 'user' ? 0xf3d1c4df : 0xe391c05f, edit));
  return oleOf([
    { name: 'PowerPoint Document', content: Buffer.concat(records) },
    ...(hasUser ? [{ name: 'Current User', content: user }] : []),
    ...(encryption === 'summary' ? [{ name: 'EncryptedSummary', content: u32(1) }] : []),
    { name: '\u0005SummaryInformation', content: summary() },
  ]);
}

const NOTES_FROM = 50_000;

function objectsOf(slides: readonly LegacySlide[], links: LegacyShow['links'] = []): ReadonlyMap<number, Buffer> {
  const objects = new Map<number, Buffer>();
  const entry = (object: number, id: number) => slideRecord(0x3f3, u32(object, 0, 0, id, 0));
  const drawing = (shapes: readonly Buffer[]) => holder(0x40c, holder(0xf002, group(...shapes)));
  const list: Buffer[] = [];
  const notesList: Buffer[] = [];
  slides.forEach(({ shapes, isHidden = false, outline = [], notes }, i) => {
    list.push(entry(2 + i, 256 + i), ...outline);
    if (notes !== undefined) notesList.push(entry(NOTES_FROM + i, 900 + i));
    if (notes !== undefined) objects.set(NOTES_FROM + i, holder(0x3f0, drawing(notes)));
    const atom = slideRecord(0x3ef, u32(0, 0, 0, 0, notes === undefined ? 0 : 900 + i, 0));
    const info = slideRecord(0x3f9, Buffer.concat([u32(0, 0), u16(0, isHidden ? 4 : 0), u32(0)]));
    objects.set(2 + i, holder(0x3ee, atom, info, drawing(shapes)));
  });
  const texts = (url: string, name: string) => [
    slideRecord(0xfba, Buffer.from(name, 'utf16le'), 0),
    slideRecord(0xfba, Buffer.from(url, 'utf16le'), 1),
  ];
  const document = holder(
    0x3e8,
    holder(0x409, ...links.map(([url, name]) => holder(0xfd7, ...texts(url, name)))),
    slideRecord(0xff0, Buffer.concat(list), 0),
    slideRecord(0xff0, Buffer.concat(notesList), 2),
  );
  return new Map([[1, document], ...objects]);
}
