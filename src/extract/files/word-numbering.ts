import { attributeOf, localName, scanXml } from './xml-scan.ts';

type Level = { format: string; text: string; start: number };

/** Numbers the paragraphs of a document in their order. */
export type Numbering = {
  /** Level of a list that belongs to a paragraph style. */
  readonly depthOf: (numberId: string, styleId: string) => number | undefined;
  /** Number of the next paragraph of a list, as Word writes it; `''` for bullets and unknown lists. */
  readonly next: (numberId: string, depth: number) => string;
};

/** Levels of a list. */
const MAX_DEPTH = 8;

/** Reads `word/numbering.xml` (ECMA-376 part 1, 17.9). */
export function readNumbering(xml: string): Numbering {
  const { listOf, levels, depths } = readLists(xml);
  const counters = new Map<string, number[]>();
  return {
    depthOf: (numberId, styleId) => depths.get(`${listOf.get(numberId)} ${styleId}`),
    next(numberId, depth) {
      const list = listOf.get(numberId);
      const level = levels.get(`${list} ${depth}`);
      if (list === undefined || level === undefined || depth > MAX_DEPTH) return '';
      const counts = counters.get(list) ?? [];
      counters.set(list, counts);
      counts[depth] = (counts[depth] ?? level.start - 1) + 1;
      counts.length = depth + 1;
      if (level.format === 'bullet' || level.format === 'none') return '';
      return level.text.replace(/%([1-9])/g, (_, position: string) => {
        const at = Number(position) - 1;
        const { format, start } = levels.get(`${list} ${at}`) ?? level;
        return numberOf(counts[at] ?? start, format);
      });
    },
  };
}

type Lists = {
  /** Abstract list of a list, by their ids. */
  readonly listOf: Map<string, string>;
  /** By abstract list and depth. */
  readonly levels: Map<string, Level>;
  /** By abstract list and style. */
  readonly depths: Map<string, number>;
  list: string;
  depth: number;
  numberId: string;
  level: Level | undefined;
};

const READ: Readonly<Record<string, (lists: Lists, attributes: string) => void>> = {
  abstractNum: (lists, attributes) => {
    lists.list = attributeOf(attributes, 'w:abstractNumId') ?? '';
  },
  lvl: (lists, attributes) => {
    lists.depth = Number(attributeOf(attributes, 'w:ilvl')) || 0;
    lists.level = { format: 'decimal', text: '', start: 1 };
    // Within a list stand exceptions from its abstract list, which are rare and left out.
    if (lists.numberId === '') lists.levels.set(`${lists.list} ${lists.depth}`, lists.level);
  },
  start: ({ level }, attributes) => {
    if (level !== undefined) level.start = Number(settingOf(attributes)) || 0;
  },
  numFmt: ({ level }, attributes) => {
    if (level !== undefined) level.format = settingOf(attributes);
  },
  lvlText: ({ level }, attributes) => {
    if (level !== undefined) level.text = settingOf(attributes);
  },
  pStyle: ({ depths, list, depth }, attributes) => {
    depths.set(`${list} ${settingOf(attributes)}`, depth);
  },
  num: (lists, attributes) => {
    lists.numberId = attributeOf(attributes, 'w:numId') ?? '';
  },
  abstractNumId: ({ listOf, numberId }, attributes) => {
    listOf.set(numberId, settingOf(attributes));
  },
};

function readLists(xml: string): Lists {
  const lists: Lists = {
    listOf: new Map(),
    levels: new Map(),
    depths: new Map(),
    list: '',
    depth: 0,
    numberId: '',
    level: undefined,
  };
  scanXml(xml, {
    open: (name, attributes) => READ[localName(name)]?.(lists, attributes),
    close: (name) => {
      if (localName(name) === 'num') lists.numberId = '';
      if (localName(name) === 'lvl') lists.level = undefined;
    },
  });
  return lists;
}

function settingOf(attributes: string): string {
  return attributeOf(attributes, 'w:val') ?? '';
}

function numberOf(count: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letterOf(count);
    case 'upperLetter':
      return letterOf(count).toUpperCase();
    case 'lowerRoman':
      return romanOf(count);
    case 'upperRoman':
      return romanOf(count).toUpperCase();
    case 'decimalZero':
      return String(count).padStart(2, '0');
    default:
      return String(count);
  }
}

/** a to z, then aa, bb: as Word counts. */
function letterOf(count: number): string {
  if (count < 1 || count > 780) return String(count);
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function romanOf(count: number): string {
  if (count < 1 || count > 3_999) return String(count);
  let left = count;
  let text = '';
  for (const [value, sign] of ROMAN) {
    while (left >= value) {
      text += sign;
      left -= value;
    }
  }
  return text;
}
