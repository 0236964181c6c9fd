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

const NUMBERING_READERS: Readonly<Record<string, (lists: Lists, attributes: string) => void>> = {
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
    open: (name, attributes) => NUMBERING_READERS[localName(name)]?.(lists, attributes),
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

/** What a paragraph is by its style or its own properties. */
export type ParagraphRole = {
  /** 1 to 9; undefined for text. */
  readonly level: number | undefined;
  readonly styleId: string;
  /** Of its list; `''` for none. */
  readonly numberId: string;
  /** In its list, from 0; undefined when only the style tells. */
  readonly depth: number | undefined;
};

type StyleFacts = {
  name: string;
  basedOn: string;
  level: number | undefined;
  numberId: string | undefined;
  depth: number | undefined;
};

/** Styles that follow each other by `basedOn`. */
const MAX_CHAIN = 12;
const MAX_LEVEL = 9;

const STYLE_READERS: Readonly<Record<string, (style: StyleFacts, value: string) => void>> = {
  name: (style, value) => {
    if (style.name === '') style.name = value.toLowerCase();
  },
  basedOn: (style, value) => {
    style.basedOn = value;
  },
  outlineLvl: (style, value) => {
    style.level = levelOf(value);
  },
  numId: (style, value) => {
    style.numberId = listIdOf(value);
  },
  ilvl: (style, value) => {
    style.depth = depthOf(value);
  },
};

/** Paragraph styles of `word/styles.xml`: what a paragraph of each is. Names are those of Word in any language. */
export function readStyles(xml: string): (styleId: string) => ParagraphRole {
  const styles = new Map<string, StyleFacts>();
  let open: StyleFacts | undefined;
  scanXml(xml, {
    open: (name, attributes) => {
      const local = localName(name);
      if (local === 'style') {
        open = { name: '', basedOn: '', level: undefined, numberId: undefined, depth: undefined };
        styles.set(attributeOf(attributes, 'w:styleId') ?? '', open);
      } else if (open !== undefined) STYLE_READERS[local]?.(open, attributeOf(attributes, 'w:val') ?? '');
    },
    close: (name) => {
      if (localName(name) === 'style') open = undefined;
    },
  });
  return (styleId) => roleOf(styles, styleId);
}

/** `w:outlineLvl` counts from 0; 9 is body text. */
export function levelOf(value: string): number | undefined {
  const level = Number(value) + 1;
  return value !== '' && Number.isInteger(level) && level >= 1 && level <= MAX_LEVEL ? level : undefined;
}

/** 0 takes a paragraph out of the list of its style. */
export function listIdOf(value: string): string {
  return value === '0' ? '' : value;
}

export function depthOf(value: string): number {
  return Math.max(0, Number(value) || 0);
}

function roleOf(styles: ReadonlyMap<string, StyleFacts>, styleId: string): ParagraphRole {
  let numberId: string | undefined;
  let depth: number | undefined;
  let level: number | undefined;
  let style = styles.get(styleId);
  for (let steps = 0; style !== undefined && steps < MAX_CHAIN; steps++) {
    level ??= style.level ?? levelOfName(style.name);
    numberId ??= style.numberId;
    depth ??= style.depth;
    style = styles.get(style.basedOn);
  }
  return { level: level ?? levelOfId(styleId, styles), styleId, numberId: numberId ?? '', depth };
}

function levelOfName(name: string): number | undefined {
  if (name === 'title') return 1;
  return levelOf(String(Number(/^heading ([1-9])$/.exec(name)?.[1] ?? Number.NaN) - 1));
}

/** Files without a style sheet still name Word's own styles. */
function levelOfId(styleId: string, styles: ReadonlyMap<string, StyleFacts>): number | undefined {
  return styles.has(styleId) ? undefined : levelOfName(styleId.toLowerCase().replace(/^heading(\d)$/, 'heading $1'));
}
