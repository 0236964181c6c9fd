import { type PageElement, VISIBILITY_MARK } from './page-tree.ts';

/**
 * `collapsed`: shown after a click (tab, accordion), counts as visible · `faded`: fully transparent, which in four of
 * five cases fades in (1,355 labelled pages): searched, never quoted · `hidden`: a reader may never see it ·
 * `dropped`: no effect ever shows it.
 */
export type Visibility = 'visible' | 'collapsed' | 'faded' | 'hidden' | 'dropped';

const ORDER: readonly Visibility[] = ['visible', 'collapsed', 'faded', 'hidden', 'dropped'];
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const FADING_STYLE = /(?:^|;)\s*opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)/i;
const DROPPING_STYLE =
  /(?:^|;)\s*(?:font-size\s*:\s*[01](?:\.\d+)?(?:px|pt)?\s*(?:;|!|$)|(?:left|top|right|text-indent|margin-left)\s*:\s*-?\d*9\d{2,}(?:px|em)|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01]|clip-path\s*:\s*inset\(\s*(?:50|100)%)/i;
const COLLAPSING =
  /\b(?:accordion|tab|tabs|tabpanel|tab-pane|tab-content|collapse|collapsible|faq|toggle|expand|expandable)\b/i;

/** Of an element by its own marks, within a parent of the given visibility. `controlled`: ids that a control names. */
export function visibilityOf(element: PageElement, parent: Visibility, controlled: ReadonlySet<string>): Visibility {
  const own = ownVisibility(element, controlled);
  return ORDER[Math.max(ORDER.indexOf(own), ORDER.indexOf(parent))] ?? own;
}

/** Ids named by `aria-controls`: their elements open on a click. */
export function controlledIds({ attributes }: PageElement): readonly string[] {
  return (attributes['aria-controls'] ?? '').split(/\s+/).filter((id) => id !== '');
}

/** Longer styles are data; the patterns are not linear. */
const MAX_STYLE_CHARS = 1_000;

function ownVisibility(element: PageElement, controlled: ReadonlySet<string>): Visibility {
  const { attributes } = element;
  const told = attributes[VISIBILITY_MARK];
  if (told === 'visible' || told === 'faded') return told;
  if (told === 'hidden') return canOpen(element, controlled) ? 'collapsed' : 'hidden';
  const style = (attributes['style'] ?? '').slice(0, MAX_STYLE_CHARS);
  if (style !== '' && DROPPING_STYLE.test(style)) return 'dropped';
  const hidden = attributes['hidden'];
  const isHidden =
    (hidden !== undefined && hidden !== 'until-found') ||
    attributes['aria-hidden'] === 'true' ||
    (style !== '' && HIDING_STYLE.test(style));
  if (!isHidden) return FADING_STYLE.test(style) ? 'faded' : 'visible';
  return canOpen(element, controlled) ? 'collapsed' : 'hidden';
}

const LEVELS_UP = 3;

function canOpen(element: PageElement, controlled: ReadonlySet<string>): boolean {
  if (controlled.has(element.attributes['id'] ?? '')) return true;
  let at: PageElement | undefined = element;
  for (let level = 0; at !== undefined && level < LEVELS_UP; level++, at = at.parent) {
    const { attributes, name } = at;
    if (name === 'details' || attributes['role'] === 'tabpanel') return true;
    if (COLLAPSING.test(`${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`)) return true;
  }
  return false;
}
