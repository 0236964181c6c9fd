import { FONT_STACKS, type PageTheme } from '../../../../src/core/page-theme.ts';
import type { Engine } from '../../generated-types.ts';

type Page = NonNullable<Engine['page']>;

export const COLOURS = ['accent', 'background', 'text', 'surface'] as const;
export type Colour = (typeof COLOURS)[number];
type Palette = Readonly<Record<Colour, string>>;

/** The settings of the page as their form has them: '' = not set. */
export type PageDraft = {
  readonly published: boolean;
  readonly path: string;
  readonly hosts: readonly string[];
  readonly language: string;
  readonly visitorLanguage: boolean;
  readonly title: string;
  readonly placeholder: string;
  readonly hint: string;
  readonly logo: string;
  readonly light: Palette;
  readonly dark: Palette;
  /** A stack by its name, or names of fonts with commas between them. */
  readonly font: string;
  readonly radius: Page['theme']['radius'];
  readonly density: Page['theme']['density'];
  readonly scheme: Page['theme']['scheme'];
};

export function draftOf(page: Engine['page']): PageDraft {
  const { theme } = page ?? {};
  return {
    published: page?.published ?? false,
    path: page?.path ?? '',
    hosts: page?.hosts ?? [],
    language: page?.language ?? '',
    visitorLanguage: page?.visitorLanguage ?? false,
    title: page?.title ?? '',
    placeholder: page?.placeholder ?? '',
    hint: page?.hint ?? '',
    ...themeDraft(theme),
  };
}

function themeDraft(theme: Page['theme'] | undefined) {
  const font = theme?.font ?? 'system';
  return {
    logo: theme?.logo ?? '',
    light: paletteDraft(theme?.light),
    dark: paletteDraft(theme?.dark),
    font: typeof font === 'string' ? font : font.join(', '),
    radius: theme?.radius ?? 'large',
    density: theme?.density ?? 'comfortable',
    scheme: theme?.scheme ?? 'auto',
  };
}

function paletteDraft(palette: Page['theme']['light'] = {}): Palette {
  const { accent = '', background = '', text = '', surface = '' } = palette;
  return { accent, background, text, surface };
}

/** The member `page` of a change of the engine: null takes a setting out. RFC 7396. */
export function pageBody(draft: PageDraft) {
  const { published, visitorLanguage, hosts, path, language, title, placeholder, hint } = draft;
  const texts = { path, language, title, placeholder, hint };
  return {
    published,
    visitorLanguage,
    hosts: hosts.map((host) => host.trim()).filter((host) => host !== ''),
    ...nulled(texts),
    theme: {
      ...nulled({ logo: draft.logo }),
      light: nulled(draft.light),
      dark: nulled(draft.dark),
      font: fontOf(draft.font),
      radius: draft.radius,
      density: draft.density,
      scheme: draft.scheme,
    },
  };
}

function nulled(texts: Readonly<Record<string, string>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim() === '' ? null : text.trim()]),
  );
}

function fontOf(text: string): PageTheme['font'] {
  const stack = FONT_STACKS.find((name) => name === text);
  if (stack !== undefined) return stack;
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const COLOUR = /^#[0-9a-f]{6}$/i;

/** The theme as it would be; a colour that is not finished yet counts as none. */
export function themeOf(draft: PageDraft): PageTheme {
  return {
    light: paletteOf(draft.light),
    dark: paletteOf(draft.dark),
    font: fontOf(draft.font),
    radius: draft.radius,
    density: draft.density,
    scheme: draft.scheme,
  };
}

function paletteOf(palette: Palette) {
  const entries = Object.entries(palette).filter(([, colour]) => COLOUR.test(colour));
  return Object.fromEntries(entries.map(([name, colour]) => [name, colour.toLowerCase()]));
}
