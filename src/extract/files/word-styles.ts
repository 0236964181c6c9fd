import { attributeOf, localName, scanXml } from './xml-scan.ts';

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

const READ: Readonly<Record<string, (style: StyleFacts, value: string) => void>> = {
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
      } else if (open !== undefined) READ[local]?.(open, attributeOf(attributes, 'w:val') ?? '');
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
