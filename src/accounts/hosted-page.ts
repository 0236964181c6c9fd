import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { contrastOf, MIN_TEXT_CONTRAST } from '../core/contrast.ts';
import { invalidRequest, type Problem } from '../core/errors.ts';
import { INTERFACE_LANGUAGES } from '../core/interface-languages.ts';
import {
  FONT_STACKS,
  PAGE_DENSITIES,
  PAGE_RADII,
  PAGE_SCHEMES,
  type PageTheme,
  paletteOf,
} from '../core/page-theme.ts';
import type { Engine, HostedPage } from '../core/records.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import { problemAt } from './problems.ts';

const MAX_HOSTS = 20;
const MAX_FONTS = 5;
const MAX_LOGO_CHARS = 2_000;
/** Of a label of a host name (RFC 1035): a path may become one. */
const MAX_PATH_CHARS = 63;
const PATH = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;
/** Written between quotes into a style sheet. */
const FONT = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,59}$/u;
/** A path of this host: `//` and `/\` lead to another one. */
const LOGO_PATH = /^\/(?![/\\])[^\s\\]*$/;
const NO_CONTROL = /^\P{Cc}*$/u;

const text = (maxChars: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxChars)
    .refine((sent) => NO_CONTROL.test(sent), 'must be one line of text')
    .optional();

const host = z
  .string()
  .transform((sent) => domainToASCII(sent.trim()))
  .refine((sent) => HOST.test(sent), 'must be a host name such as search.example.com, without scheme and port')
  .meta({ type: 'string' });

const colour = z
  .string()
  .toLowerCase()
  .regex(COLOUR, { abort: true, error: 'must be a colour such as #12403a' })
  .transform((sent) => (sent.length === 4 ? sent.replace(/[0-9a-f]/g, '$&$&') : sent))
  .meta({ type: 'string' })
  .optional();

/** @param examples that can be read beside the other colours of the scheme */
const palette = (examples: { readonly text: string; readonly ground: string }) =>
  z
    .strictObject({
      accent: colour.meta({
        description: 'Of buttons and marks; links have it where it can be read.',
        examples: ['#0a6ebd'],
      }),
      background: colour.meta({ description: 'Of the page.', examples: [examples.ground] }),
      text: colour.meta({ description: 'Of texts.', examples: [examples.text] }),
      surface: colour.meta({ description: 'Of cards and boxes.', examples: [examples.ground] }),
    })
    .prefault({});

const THEME: z.ZodType<PageTheme> = z
  .strictObject({
    logo: z
      .string()
      .max(MAX_LOGO_CHARS)
      .refine(isLogo, 'must be an https URL or a path of this host such as /logo.svg')
      .optional()
      .meta({
        description: 'An https URL, or a path of the same host; also the icon of the page.',
        examples: ['https://www.example.com/logo.svg'],
      }),
    light: palette({ text: '#111111', ground: '#f4f4f4' }),
    dark: palette({ text: '#eeeeee', ground: '#101010' }),
    font: z
      .union(
        [
          z.enum(FONT_STACKS),
          z
            .array(z.string().refine((sent) => FONT.test(sent), 'must be the name of a font'))
            .min(1)
            .max(MAX_FONTS),
        ],
        `must be one of ${FONT_STACKS.join(', ')}, or a list of at most ${MAX_FONTS} names of fonts`,
      )
      .default('system')
      .meta({
        description: 'A stack by its name, or names of fonts that visitors have: none is fetched.',
        examples: ['serif'],
      }),
    radius: z.enum(PAGE_RADII).default('large').describe('Of corners.'),
    density: z.enum(PAGE_DENSITIES).default('comfortable').describe('Of the list of results.'),
    scheme: z.enum(PAGE_SCHEMES).default('auto').describe('`auto`: as the visitor has it.'),
  })
  .superRefine((theme, { addIssue }) => {
    for (const scheme of ['light', 'dark'] as const) {
      for (const { path, message } of faintTexts(theme, scheme)) addIssue({ code: 'custom', path, message });
    }
  });

/** Partial settings of the hosted page of an engine → full ones. */
export const HOSTED_PAGE: z.ZodType<HostedPage> = z.strictObject({
  published: z.boolean().default(false).describe('Unless it is, nobody can open the page.'),
  path: z
    .string()
    .max(MAX_PATH_CHARS)
    .regex(PATH, 'must be lower-case letters, digits and single hyphens such as help-centre')
    .optional()
    .meta({
      description: 'The page is at `/s/<path>`; absent: made of the name of the engine.',
      examples: ['help-centre'],
    }),
  hosts: z
    .array(host)
    .max(MAX_HOSTS)
    .default([])
    .meta({ description: 'Host names at which `/` is this page.', examples: [['search.example.com']] }),
  language: z
    .enum(INTERFACE_LANGUAGES)
    .optional()
    .meta({ description: 'Of the interface; absent: that of the engine.', examples: ['de'] }),
  visitorLanguage: z
    .boolean()
    .default(false)
    .describe('The language of the visitor comes first where the interface has it; a menu offers others.'),
  title: text(120).meta({ description: 'Heading of the page; absent: the name of the engine.', examples: ['Help'] }),
  placeholder: text(120).meta({ description: 'In the empty box.', examples: ['What are you looking for?'] }),
  hint: text(500).meta({ description: 'Under the box of the empty page.', examples: ['Try: opening hours'] }),
  theme: THEME.prefault({}),
});

/** A hosted page of which nothing has been set. */
export const PAGE_DEFAULTS: HostedPage = HOSTED_PAGE.parse({});

function isLogo(sent: string): boolean {
  if (LOGO_PATH.test(sent)) return true;
  const url = /\s/.test(sent) ? null : URL.parse(sent);
  // A host that could end a source of the content security policy (`a;b.example`) is no host name.
  return url?.protocol === 'https:' && HOST.test(url.hostname) && url.username === '' && url.password === '';
}

function faintTexts(theme: PageTheme, scheme: 'light' | 'dark'): { path: string[]; message: string }[] {
  const palette = paletteOf(theme, scheme);
  return (['background', 'surface'] as const).flatMap((ground) => {
    const contrast = contrastOf(palette.text, palette[ground]);
    if (contrast >= MIN_TEXT_CONTRAST) return [];
    const found = `${palette.text} on ${ground} ${palette[ground]} has a contrast of ${Math.floor(contrast * 100) / 100}`;
    return [{ path: [scheme, 'text'], message: `cannot be read: ${found}, and needs ${MIN_TEXT_CONTRAST} (WCAG AA)` }];
  });
}

type Paged = Pick<Engine, 'name' | 'settings'>;

/** The path below `/s/` at which the page of an engine is. */
export function pagePathOf({ name, settings }: Paged): string {
  return settings.page?.path ?? slugOf(name);
}

/** `Sample site` → `sample-site`; a name without Latin letters and digits gives `search`. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, MAX_PATH_CHARS).replace(/-$/, '') ?? 'search';
}

/** Engines whose page can be opened, in the order in which they came. */
export function publishedEngines(engines: readonly Engine[]): readonly Engine[] {
  return engines.filter(({ settings }) => settings.page?.published === true);
}

type Known = Paged & { readonly id: number };
type Claim = { readonly kind: 'path' | 'host'; readonly value: string; readonly path: readonly PropertyKey[] };

/** Addresses that nobody else may have: those that are set, and the path of a page that is published. */
function claimsOf(engine: Paged): readonly Claim[] {
  const { page } = engine.settings;
  if (page === undefined) return [];
  const hosts = page.hosts.map((value, at): Claim => ({ kind: 'host', value, path: ['page', 'hosts', at] }));
  if (page.path === undefined && !page.published) return hosts;
  return [{ kind: 'path', value: pagePathOf(engine), path: ['page', 'path'] }, ...hosts];
}

/** Addresses of the engine's page that others have. `path` is where the engine stands. */
export function pageProblems(
  engine: Paged,
  others: readonly Known[],
  path: readonly PropertyKey[] = [],
): readonly Problem[] {
  return claimsOf(engine).flatMap((claim) => {
    const owner = others.find((other) =>
      claimsOf(other).some(({ kind, value }) => kind === claim.kind && value === claim.value),
    );
    if (owner === undefined) return [];
    const message = `${claim.value} is the ${claim.kind} of the page of engine ${owner.id} (${owner.name}): take another`;
    return [problemAt([...path, ...claim.path], message)];
  });
}

/** @throws AppError `request.invalid` when the page of another engine has one of its addresses */
export async function refuseTakenPage(
  store: Pick<AccountStore, 'listEngines'>,
  engine: Paged & { readonly id?: number },
): Promise<void> {
  if (engine.settings.page === undefined) return;
  const others = (await store.listEngines()).filter(({ id }) => id !== engine.id);
  const problems = pageProblems(engine, others);
  if (problems.length > 0) throw invalidRequest(problems);
}
