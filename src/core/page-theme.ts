/** The looks of an engine's search page, as editors set them. */

export const PAGE_SCHEMES = ['auto', 'light', 'dark'] as const;
export const PAGE_RADII = ['none', 'small', 'large'] as const;
export const PAGE_DENSITIES = ['compact', 'comfortable'] as const;
export const FONT_STACKS = ['system', 'humanist', 'geometric', 'serif', 'mono'] as const;

export type FontStack = (typeof FONT_STACKS)[number];
/** `#rrggbb`, lower case. */
type Colour = string;
export type Palette = {
  readonly accent: Colour;
  readonly background: Colour;
  readonly text: Colour;
  /** Ground of cards and boxes. */
  readonly surface: Colour;
};
/** What is undefined is the product's own; `accent` of dark is that of light. */
export type PartialPalette = { readonly [Name in keyof Palette]?: Colour | undefined };

export type PageTheme = {
  /** `https:` or a path of this host; undefined = the product's sign. */
  readonly logo?: string | undefined;
  readonly light: PartialPalette;
  readonly dark: PartialPalette;
  /** A stack by its name, or names of fonts that visitors have; none is fetched. */
  readonly font: FontStack | readonly string[];
  readonly radius: (typeof PAGE_RADII)[number];
  readonly density: (typeof PAGE_DENSITIES)[number];
  /** `auto` = as the visitor's system is. */
  readonly scheme: (typeof PAGE_SCHEMES)[number];
};

/** The colours of `web/parts/base.css`; a test compares the two. */
export const DEFAULT_PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: { accent: '#12403a', background: '#fbfaf6', text: '#1c2426', surface: '#ffffff' },
  dark: { accent: '#f2b53c', background: '#14181a', text: '#e9e6df', surface: '#1c2225' },
};

/** All colours of a theme in light or dark. */
export function paletteOf({ light, dark }: Pick<PageTheme, 'light' | 'dark'>, scheme: 'light' | 'dark'): Palette {
  const own = scheme === 'light' ? light : dark;
  const usual = DEFAULT_PALETTES[scheme];
  const { background = usual.background, text = usual.text, surface = usual.surface } = own;
  return { accent: own.accent ?? light.accent ?? usual.accent, background, text, surface };
}
