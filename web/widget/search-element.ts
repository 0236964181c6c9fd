import { contrastOf } from '../../src/core/contrast.ts';
import css from './widget.css?inline';

const NAME = 'fossick-search';
/** Roots that have the styles of a part that came later. */
const withStyles = new WeakSet<ShadowRoot>();

/** Custom elements are classes by the rule of the platform; what happens inside is Preact's. */
class SearchElement extends HTMLElement {}

/** Custom properties of `web/parts/base.css`, with their values. */
type Theme = Readonly<Record<string, string>>;

export type Part = {
  /** Part of the page around, where events are sent to. */
  readonly host: HTMLElement;
  /** What Preact renders into. */
  readonly root: ShadowRoot;
};

/** An element of the widget with styles of its own, which no policy of the page has to allow: they are no markup. */
export function createPart(theme: Theme, accent: string | undefined): Part {
  // Two tags may be of two versions.
  if (customElements.get(NAME) === undefined) customElements.define(NAME, SearchElement);
  const host = document.createElement(NAME);
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [css, themeRule(theme), accent && accentRule(accent)].filter(isText).map(sheetOf);
  return { host, root };
}

/** Once, whoever asks again. */
export function addStyles(root: Node | undefined, text: string): void {
  if (!(root instanceof ShadowRoot) || withStyles.has(root)) return;
  withStyles.add(root);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(text)];
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** `rem` is a size of the page around; the build writes it so in the style sheet. */
const REM = /([\d.]+)rem\b/g;
const OWN_REM = 'calc($1 * var(--rem))';

/** What editors have set for the engine, and in its place what the page around sets. */
function themeRule(theme: Theme): string {
  const rules = Object.entries(theme).map(
    ([name, value]) => `${name}: var(${name.replace('--', '--fossick-')}, ${value.replace(REM, OWN_REM)});`,
  );
  return `.fossick { ${rules.join(' ')} }`;
}

/** The colour of a tag, with whichever of black and white can be read on it. */
function accentRule(accent: string): string {
  const colour = asHex(accent);
  const isLight = contrastOf('#000000', colour) > contrastOf('#ffffff', colour);
  return `.fossick { --accent: ${accent}; --on-accent: ${isLight ? '#000' : '#fff'}; }`;
}

/** A canvas writes every opaque colour of sRGB as `#rrggbb`; any other is taken for a dark one. */
function asHex(colour: string): string {
  const canvas = document.createElement('canvas').getContext('2d');
  if (canvas !== null) canvas.fillStyle = colour;
  const written = String(canvas?.fillStyle);
  return written.startsWith('#') ? written : '#000000';
}
