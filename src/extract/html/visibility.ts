import { ATTRIBUTE_BITS, mayHave, VISIBILITY_ATTRIBUTE } from './attribute-bits.ts';
import { readStyle } from './inline-style.ts';
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
