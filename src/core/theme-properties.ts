import { contrastOf, MIN_SIGN_CONTRAST, MIN_TEXT_CONTRAST, mixColours } from './contrast.ts';
import { type FontStack, type PageTheme, type Palette, paletteOf } from './page-theme.ts';

/** Custom properties of `web/parts/base.css` and their values. */
export type ThemeProperties = Readonly<Record<`--${string}`, string>>;

/** Fonts of operating systems only (modernfontstacks.com), each with a fallback for any script. */
const STACKS: Readonly<Record<FontStack, string>> = {
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
  geometric: 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif',
  mono: 'ui-monospace, "Cascadia Code", "Source Code Pro", Menlo, Consolas, "DejaVu Sans Mono", monospace',
};

const RADII: Readonly<Record<PageTheme['radius'], ThemeProperties>> = {
  none: { '--radius': '0', '--radius-small': '0', '--radius-pill': '0' },
  small: { '--radius': '0.25rem', '--radius-small': '0.125rem', '--radius-pill': '0.25rem' },
  large: {},
};

/** Controls keep the least size of a target (24 px, WCAG 2.2, 2.5.8) in both. */
const DENSITIES: Readonly<Record<PageTheme['density'], ThemeProperties>> = {
  compact: { '--space': '0.1875rem', '--control': '2.25rem' },
  comfortable: {},
};

const SCHEMES: Readonly<Record<PageTheme['scheme'], string>> = { auto: 'light dark', light: 'light', dark: 'dark' };

/** What `color-scheme` is for a theme. */
export function colourSchemeOf({ scheme }: Pick<PageTheme, 'scheme'>): string {
  return SCHEMES[scheme];
}

/** The style sheet of a theme; its selectors win over those of `web/parts/base.css` in any order. */
export function themeSheet(theme: PageTheme): string {
  const scheme = `html:root { color-scheme: ${colourSchemeOf(theme)}; }\n`;
  const properties = Object.entries(themeProperties(theme)).map(([name, value]) => `  ${name}: ${value};\n`);
  return properties.length === 0 ? scheme : `${scheme}html:root, html .paper {\n${properties.join('')}}\n`;
}

/** Those that differ from what the style sheet of the product has. */
export function themeProperties(theme: PageTheme): ThemeProperties {
  return { ...colours(theme), ...fonts(theme), ...RADII[theme.radius], ...DENSITIES[theme.density] };
}

function fonts({ font }: PageTheme): ThemeProperties {
  if (font === 'system') return {};
  if (typeof font === 'string') return { '--font': STACKS[font] };
  return { '--font': `${font.map((name) => `"${name}"`).join(', ')}, ${STACKS.system}` };
}

function colours(theme: PageTheme): ThemeProperties {
  const set = [theme.light, theme.dark].flatMap((palette) => Object.values(palette));
  if (set.every((colour) => colour === undefined)) return {};
  const light = shades(paletteOf(theme, 'light'));
  const dark = shades(paletteOf(theme, 'dark'));
  const names = Object.keys(light) as (keyof typeof light)[];
  return Object.fromEntries(names.map((name) => [`--${name}`, `light-dark(${light[name]}, ${dark[name]})`]));
}

/** Every colour of a page by the four of its palette; all can be read, whatever the accent is (WCAG AA). */
function shades({ accent, background, text, surface }: Palette) {
  const mark = paleMark(accent, { text, surface });
  // Links and quiet texts have marked words, too.
  const grounds = [background, surface, mark];
  const onAccent = contrastOf(accent, '#ffffff') >= contrastOf(accent, '#000000') ? '#ffffff' : '#000000';
  return {
    ground: background,
    surface,
    text,
    quiet: readable(mixColours(text, background, 0.35), { text, grounds, least: MIN_TEXT_CONTRAST }),
    edge: readable(mixColours(text, background, 0.55), { text, grounds, least: MIN_SIGN_CONTRAST }),
    line: mixColours(background, text, 0.14),
    link: readable(accent, { text, grounds, least: MIN_TEXT_CONTRAST }),
    accent,
    'on-accent': onAccent,
    mark,
    focus: readable(accent, { text, grounds, least: MIN_SIGN_CONTRAST }),
    sign: accent,
    'on-sign': onAccent,
  };
}

type Wanted = { readonly text: string; readonly grounds: readonly string[]; readonly least: number };

/** The colour, moved towards that of texts as far as it takes to be told from its grounds. */
function readable(colour: string, { text, grounds, least }: Wanted): string {
  const steps = Array.from({ length: 10 }, (_, step) => mixColours(colour, text, step / 10));
  return steps.find((step) => grounds.every((ground) => contrastOf(step, ground) >= least)) ?? text;
}

/** Ground of marked words: a hint of the accent, as much of it as leaves the text readable. */
function paleMark(accent: string, { text, surface }: { readonly text: string; readonly surface: string }): string {
  const shares = [0.2, 0.14, 0.08];
  const marks = shares.map((share) => mixColours(surface, accent, share));
  return marks.find((mark) => contrastOf(text, mark) >= MIN_TEXT_CONTRAST) ?? surface;
}
