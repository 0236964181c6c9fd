import { ATTRIBUTE_BITS, mayHave, VISIBILITY_ATTRIBUTE } from './attribute-bits.ts';
import type { PageElement } from './page-tree.ts';

/**
 * `collapsed`: shown after a click (tab, accordion), counts as visible · `faded`: fully transparent, which in four of
 * five cases fades in (1,355 labelled pages): searched, never quoted · `hidden`: a reader may never see it ·
 * `dropped`: no effect ever shows it.
 */
export type Visibility = 'visible' | 'collapsed' | 'faded' | 'hidden' | 'dropped';

const ORDER: readonly Visibility[] = ['visible', 'collapsed', 'faded', 'hidden', 'dropped'];
const COLLAPSING =
  /(?:^|[^a-z])(?:accordions?|tabs?|tabpanel|collapse|collapsed|collapsible|faqs?|toggle|toggles|toggled|expand|expands|expanded|expandable)(?![a-z])/;

/** Of an element by its own marks, within a parent of the given visibility. `controlled`: ids that a control names. */
export function visibilityOf(element: PageElement, parent: Visibility, controlled: ReadonlySet<string>): Visibility {
  if (!mayHave(element, ATTRIBUTE_BITS.visibility)) return parent;
  const own = ownVisibility(element, controlled);
  return ORDER[Math.max(ORDER.indexOf(own), ORDER.indexOf(parent))] ?? own;
}

/** What a browser saw overrules what the markup says, but no browser shows what is dropped. */
function ownVisibility(element: PageElement, controlled: ReadonlySet<string>): Visibility {
  const { attributes } = element;
  const { style: css = '' } = attributes;
  const style = css === '' ? undefined : readStyle(css);
  if (style === 'dropped') return 'dropped';
  const told = attributes[VISIBILITY_ATTRIBUTE];
  if (told === 'visible' || told === 'faded') return told;
  const { hidden } = attributes;
  const isHidden =
    told === 'hidden' ||
    style === 'hidden' ||
    (hidden !== undefined && hidden.toLowerCase() !== 'until-found') ||
    attributes['aria-hidden']?.toLowerCase() === 'true';
  if (!isHidden) return style ?? 'visible';
  return canOpen(element, controlled) ? 'collapsed' : 'hidden';
}

const LEVELS_UP = 3;

function canOpen(element: PageElement, controlled: ReadonlySet<string>): boolean {
  if (controlled.has(element.attributes['id'] ?? '')) return true;
  let at: PageElement | undefined = element;
  for (let level = 0; at !== undefined && level < LEVELS_UP; level++, at = at.parent) {
    const { attributes, name } = at;
    if (name === 'details' || attributes['role'] === 'tabpanel') return true;
    if (COLLAPSING.test(wordsOf(`${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`))) return true;
  }
  return false;
}

/** `tabContent` is two words. */
function wordsOf(names: string): string {
  return names.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
}

/** Longer styles are data. */
const MAX_STYLE_CHARS = 1_000;
/** Styles without one of these words hide nothing. */
const VISIBILITY_PROPERTIES =
  /display|visibility|opacity|font|left|right|top|bottom|indent|margin|clip|color|background|transform/i;

const PX_PER_UNIT: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, em: 16, rem: 16, '': 1 };
/** No screen is as wide to the left and up; to the right some pages are. */
const FAR_PX = 999;
const VERY_FAR_PX = 5_000;

/**
 * What a `style` attribute does to the text of its element: `faded` is fully transparent, `dropped` what no effect
 * ever shows: letters of at most 1 px, clipped to nothing, far off the screen, in the colour of their background.
 */
function readStyle(css: string): StyleEffect | undefined {
  if (!VISIBILITY_PROPERTIES.test(css)) return undefined;
  const style = css.slice(0, MAX_STYLE_CHARS);
  const known = effects.get(style);
  if (known !== undefined || effects.has(style)) return known;
  if (effects.size === CACHED_STYLES) effects.clear();
  const effect = effectOf(style);
  effects.set(style, effect);
  return effect;
}

type StyleEffect = 'faded' | 'hidden' | 'dropped';

/** The same few styles stand on most pages. */
const effects = new Map<string, StyleEffect | undefined>();
const CACHED_STYLES = 500;

function effectOf(css: string): StyleEffect | undefined {
  const style = declarationsOf(css);
  const get = (name: string) => style.get(name) ?? '';
  if (isTiny(get('font-size')) || isClipped(style) || isFarOff(style) || isOnOwnColour(style)) return 'dropped';
  if (get('display') === 'none' || /^(?:hidden|collapse)$/.test(get('visibility'))) return 'hidden';
  return /^0*(?:\.0+)?%?$/.test(get('opacity')) && get('opacity') !== '' ? 'faded' : undefined;
}

/** Lower case, without `!important`; the last of a name counts. */
function declarationsOf(css: string): ReadonlyMap<string, string> {
  const declarations = css.toLowerCase().split(';');
  return new Map(
    declarations.map((declaration) => {
      const at = declaration.indexOf(':');
      const value = declaration.slice(at + 1).replace('!important', '');
      return [declaration.slice(0, Math.max(0, at)).trim(), value.trim()] as const;
    }),
  );
}

/** Pixels of a length; NaN for everything else. */
function pixelsOf(length: string): number {
  const [, number = '', unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+))([a-z]*)$/.exec(length) ?? [];
  return number === '' ? Number.NaN : Number(number) * (PX_PER_UNIT[unit] ?? Number.NaN);
}

function isTiny(size: string): boolean {
  return pixelsOf(size) <= 1 || /^0+(?:\.0+)?%$/.test(size);
}

function isClipped(style: ReadonlyMap<string, string>): boolean {
  const [top = NaN, right = NaN, bottom = NaN, left = NaN] = (
    /^rect\(([^)]*)\)$/.exec(style.get('clip') ?? '')?.[1] ?? ''
  )
    .split(/[\s,]+/)
    .filter((length) => length !== '')
    .map(pixelsOf);
  if (right - left <= 1 && bottom - top <= 1) return true;
  return /^(?:inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%\s*\)|circle\(\s*0[^)]*\)|polygon\(\s*(?:0[a-z%]*[\s,]*)+\))$/.test(
    style.get('clip-path') ?? '',
  );
}

const OFFSETS = ['left', 'right', 'top', 'bottom', 'text-indent', 'margin-left', 'margin-top'];

function isFarOff(style: ReadonlyMap<string, string>): boolean {
  const shift = /translate(?:x|y|3d)?\(\s*([^,)]+)/.exec(style.get('transform') ?? '')?.[1]?.trim() ?? '';
  const offsets = [...OFFSETS.map((name) => style.get(name) ?? ''), shift].map(pixelsOf);
  if (offsets.some((offset) => offset <= -FAR_PX)) return true;
  const [left = 0, right = 0, , , indent = 0] = offsets;
  return Math.max(left || 0, right || 0, indent || 0) >= VERY_FAR_PX;
}

function isOnOwnColour(style: ReadonlyMap<string, string>): boolean {
  const text = colourOf(style.get('color'));
  return text !== undefined && text === (colourOf(style.get('background-color')) ?? colourOf(style.get('background')));
}

const COLOUR_NAMES: Readonly<Record<string, string>> = {
  white: 'ffffff',
  black: '000000',
  red: 'ff0000',
  gray: '808080',
  grey: '808080',
};

/** Six hexadecimal digits; undefined for what is no plain colour. */
function colourOf(text = ''): string | undefined {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text)?.[1];
  if (hex !== undefined) return hex.length === 6 ? hex : hex.replace(/./g, '$&$&');
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*1\s*)?\)$/.exec(text)?.slice(1, 4);
  if (parts !== undefined) return parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('');
  return COLOUR_NAMES[text];
}
