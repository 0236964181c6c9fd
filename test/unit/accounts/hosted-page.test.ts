import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { HOSTED_PAGE, PAGE_DEFAULTS, pagePathOf } from '../../../src/accounts/hosted-page.ts';
import { check } from '../../../src/accounts/problems.ts';

const problemsOf = (page: object) => {
  const checked = check(HOSTED_PAGE, page);
  return checked.isRight ? [] : checked.problems.map(({ message }) => message);
};
const themeProblems = (theme: object) => problemsOf({ theme });

test('a page that nobody has set is not published and has the looks of the product', () => {
  const none = { accent: undefined, background: undefined, text: undefined, surface: undefined };
  const theme = { logo: undefined, light: none, dark: none, font: 'system', radius: 'large' };

  expect(PAGE_DEFAULTS).toEqual({
    published: false,
    path: undefined,
    hosts: [],
    language: undefined,
    visitorLanguage: false,
    title: undefined,
    placeholder: undefined,
    hint: undefined,
    theme: { ...theme, density: 'comfortable', scheme: 'auto' },
  });
  expect(HOSTED_PAGE.parse(PAGE_DEFAULTS)).toEqual(PAGE_DEFAULTS);
});

test('host names and colours are stored in one form', () => {
  const page = HOSTED_PAGE.parse({
    hosts: ['Search.Example.COM', 'bücher.example'],
    theme: { light: { accent: '#A0C' } },
  });

  expect(page.hosts).toEqual(['search.example.com', 'xn--bcher-kva.example']);
  expect(page.theme.light.accent).toBe('#aa00cc');
  expect(HOSTED_PAGE.parse(page)).toEqual(page);
});

test.each<[what: string, page: object, message: string]>([
  ['a path with a slash', { path: 'a/b' }, 'path: must be lower-case letters, digits and single hyphens'],
  ['a path in upper case', { path: 'Docs' }, 'path: must be lower-case letters'],
  ['an empty path', { path: '' }, 'path: must be lower-case letters'],
  ['a host with a port', { hosts: ['a.example:8080'] }, 'hosts[0]: must be a host name such as search.example.com'],
  ['a URL for a host', { hosts: ['https://a.example/'] }, 'hosts[0]: must be a host name'],
  ['a host of nothing', { hosts: [''] }, 'hosts[0]: must be a host name'],
  ['a language without texts', { language: 'tlh' }, 'language: must be one of en'],
  ['a title of two lines', { title: 'One\nTwo' }, 'title: must be one line of text'],
  ['an empty hint', { hint: ' ' }, 'hint: must not be empty'],
  ['a mistyped member', { publshed: true }, 'publshed: is not known here; did you mean published?'],
])('%s is refused', (_what, page, message) => {
  expect(problemsOf(page)).toEqual([expect.stringContaining(message)]);
});

test.each([
  '/logo.svg',
  '/brand/logo.png?v=2',
  'https://cdn.example.com/logo.svg',
  'https://cdn.example.com:8443/logo.svg',
])('the logo %j is taken', (logo) => {
  expect(themeProblems({ logo })).toEqual([]);
});

test.each([
  'http://cdn.example.com/logo.svg',
  'javascript:alert(1)',
  'data:image/svg+xml,<svg/>',
  '//cdn.example.com/logo.svg',
  '/\\cdn.example.com/logo.svg',
  'logo.svg',
  'https://me:secret@cdn.example.com/logo.svg',
  'https://a;sandbox/logo.svg',
  "https://a'none'/logo.svg",
  'https://cdn.example.com/a b.svg',
  'https://cdn.example.com/a\n.svg',
  '',
])('the logo %j is refused', (logo) => {
  expect(themeProblems({ logo })).toEqual([
    'theme.logo: must be an https URL or a path of this host such as /logo.svg',
  ]);
});

test.each<[what: string, theme: object, messages: readonly string[]]>([
  ['a name of a colour', { light: { accent: 'red' } }, ['theme.light.accent: must be a colour such as #12403a']],
  ['a colour that is more', { light: { text: '#fff;}' } }, ['theme.light.text: must be a colour such as #12403a']],
  ['an unknown radius', { radius: 'huge' }, ['theme.radius: must be one of none, small, large']],
  ['a font that ends its quotes', { font: ['Brand", url(x)'] }, ['theme.font[0]: must be the name of a font']],
  [
    'an unknown stack',
    { font: 'comic' },
    ['theme.font: must be one of system, humanist, geometric, serif, mono, or a list of at most 5 names of fonts'],
  ],
  [
    'grey on grey',
    { light: { background: '#888', surface: '#fff', text: '#777' } },
    [
      'theme.light.text: cannot be read: #777777 on background #888888 has a contrast of 1.26, and needs 4.5 (WCAG AA)',
      'theme.light.text: cannot be read: #777777 on surface #ffffff has a contrast of 4.47, and needs 4.5 (WCAG AA)',
    ],
  ],
  [
    'a dark ground under the dark text of the product',
    { light: { background: '#000' } },
    ['theme.light.text: cannot be read: #1c2426 on background #000000 has a contrast of 1.32, and needs 4.5 (WCAG AA)'],
  ],
  [
    'white text in the dark on a white surface',
    { dark: { surface: '#fff', text: '#eee' } },
    [expect.stringContaining('theme.dark.text: cannot be read: #eeeeee on surface #ffffff')],
  ],
])('a theme with %s is refused', (_what, theme, messages) => {
  expect(themeProblems(theme)).toEqual(messages);
});

test.each([
  ['Sample site', 'sample-site'],
  ['  Größe & Maß  ', 'gro-e-ma'],
  ['Café Zürich', 'cafe-zurich'],
  ['検索', 'search'],
  ['www.example.com:8080', 'www-example-com-8080'],
  [`${'long '.repeat(40)}`, 'long-'.repeat(12).concat('lon')],
])('the page of an engine called %j is at the path %j', (name, path) => {
  expect(pagePathOf({ name, settings: ENGINE_DEFAULTS })).toBe(path);
  expect(HOSTED_PAGE.safeParse({ path }).success).toBe(true);
});
