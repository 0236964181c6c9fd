import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_URL_RULES, hostOf, keyOfUrl, normalizeUrl, originOf, type UrlRules } from '../../../src/core/url.ts';

const SITE = 'https://site.example';

function rules(form: Partial<UrlRules['urlForm']>, query: Partial<UrlRules['queryParams']> = {}): UrlRules {
  return {
    ...DEFAULT_URL_RULES,
    urlForm: { ...DEFAULT_URL_RULES.urlForm, ...form },
    queryParams: { ...DEFAULT_URL_RULES.queryParams, ...query },
  };
}

describe('the stock normal form', () => {
  test.each([
    ['https://site.example', 'https://site.example/'],
    ['HTTPS://SITE.Example/', 'https://site.example/'],
    ['  https://site.example/a \n', `${SITE}/a`],
    ['https://site.example./a', `${SITE}/a`],
    ['https://site.example../a', `${SITE}/a`],
    ['https://site.example:443/', 'https://site.example/'],
    ['http://site.example:80/', 'http://site.example/'],
    ['http://site.example:443/', 'http://site.example:443/'],
    ['https://site.example:8443/', 'https://site.example:8443/'],
    ['https://user:secret@site.example/', 'https://site.example/'],
    ['https://user@site.example/', 'https://site.example/'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://ＳＩＴＥ.example/', 'https://site.example/'],
    ['https:site.example/a', `${SITE}/a`],
    ['https:\\\\site.example\\a', `${SITE}/a`],
    ['http://[2001:DB8::1]/', 'http://[2001:db8::1]/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://0177.0.0.1/', 'http://127.0.0.1/'],
    ['http://127.1/', 'http://127.0.0.1/'],
    ['http://[::FFFF:127.0.0.1]/', 'http://[::ffff:7f00:1]/'],
    ['http://site。example/', 'http://site.example/'],
    ['http://s%69te.example/', 'http://site.example/'],
    ['http://site.example:080/', 'http://site.example/'],
    ['http://site.example:/a', 'http://site.example/a'],
    ['https://XN--MNCHEN-3YA.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://user:pass%40word@site.example/a', `${SITE}/a`],
    // path
    ['https://site.example/A/b', `${SITE}/A/b`],
    ['https://site.example/a/', `${SITE}/a/`],
    ['https://site.example//a//b', `${SITE}//a//b`],
    ['https://site.example/a/./b/../c', `${SITE}/a/c`],
    ['https://site.example/../a', `${SITE}/a`],
    ['https://site.example/a/%2e%2e/b', `${SITE}/b`],
    ['https://site.example/index.html', `${SITE}/index.html`],
    ['https://site.example/%7euser', `${SITE}/~user`],
    ['https://site.example/%61%2d%5f%2E', `${SITE}/a-_.`],
    ['https://site.example/a%2fb', `${SITE}/a%2Fb`],
    ['https://site.example/a%2Fb', `${SITE}/a%2Fb`],
    ['https://site.example/%c3%a4', `${SITE}/%C3%A4`],
    ['https://site.example/ä', `${SITE}/%C3%A4`],
    ['https://site.example/a b', `${SITE}/a%20b`],
    ['https://site.example/%2%66', `${SITE}/%2%66`],
    ['https://site.example/100%', `${SITE}/100%`],
    ['https://site.example/%25%32%35', `${SITE}/%2525`],
    ['https://site.example/a;v=1', `${SITE}/a;v=1`],
    ['https://site.example\\a\\b', `${SITE}/a/b`],
    ['https://site.example/a\tb\n', `${SITE}/ab`],
    ['https://site.example/%2E', `${SITE}/`],
    ['https://site.example/a/..', `${SITE}/`],
    ['https://site.example/a/b/%2E.', `${SITE}/a/`],
    ['https://site.example/A%42c', `${SITE}/ABc`],
    ['https://site.example/%41%5A%30%39', `${SITE}/AZ09`],
    ['https://site.example/%e3%83%84', `${SITE}/%E3%83%84`],
    ['https://site.example/ツ', `${SITE}/%E3%83%84`],
    ['https://site.example/a:b@c', `${SITE}/a:b@c`],
    ['https://site.example/%', `${SITE}/%`],
    ['https://site.example/%zz', `${SITE}/%zz`],
    ['https://site.example/a;jsessionid=0A1B2C?x=1', `${SITE}/a?x=1`],
    ['https://site.example/a;JSESSIONID=0A1B2C/b', `${SITE}/a/b`],
    // fragment
    ['https://site.example/a#top', `${SITE}/a`],
    ['https://site.example/a#', `${SITE}/a`],
    ['https://site.example/#!/route', `${SITE}/`],
    // query
    ['https://site.example/a?', `${SITE}/a`],
    ['https://site.example/a?#x', `${SITE}/a`],
    ['https://site.example/a?&', `${SITE}/a`],
    ['https://site.example/a?b=2&a=1', `${SITE}/a?b=2&a=1`],
    ['https://site.example/a?q=%c3%a4%20b', `${SITE}/a?q=%C3%A4%20b`],
    ['https://site.example/a?q=a+b', `${SITE}/a?q=a+b`],
    ['https://site.example/a?q=%7e', `${SITE}/a?q=~`],
    ['https://site.example/a?x=%26&y', `${SITE}/a?x=%26&y`],
    ['https://site.example/a?a=1&a=2', `${SITE}/a?a=1&a=2`],
    ['https://site.example/a?a', `${SITE}/a?a`],
    ['https://site.example/a?a=', `${SITE}/a?a=`],
    ['https://site.example/a?=1', `${SITE}/a?=1`],
    ['https://site.example/a?a=b=c', `${SITE}/a?a=b=c`],
    ['https://site.example/a?next=https%3a%2f%2fx', `${SITE}/a?next=https%3A%2F%2Fx`],
    ['https://site.example/a?b?c', `${SITE}/a?b?c`],
    ['https://site.example?a=1', `${SITE}/?a=1`],
    // tracking and session
    ['https://site.example/a?utm_source=x&id=7', `${SITE}/a?id=7`],
    ['https://site.example/a?UTM_Source=x', `${SITE}/a`],
    ['https://site.example/a?gclid=1&fbclid=2&msclkid=3&mc_cid=4&_gl=5', `${SITE}/a`],
    ['https://site.example/a?utm=1', `${SITE}/a?utm=1`],
    ['https://site.example/a?PHPSESSID=abc', `${SITE}/a`],
    ['https://site.example/a?jsessionid=abc', `${SITE}/a`],
    ['https://site.example/a?sid=0123456789abcdef', `${SITE}/a`],
    ['https://site.example/a?sid=7', `${SITE}/a?sid=7`],
    ['https://site.example/a?s=house-on-the-long-hill', `${SITE}/a?s=house-on-the-long-hill`],
  ])('%s → %s', (text, expected) => {
    expect(normalizeUrl(text)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    'site.example',
    '/a/b',
    '//site.example/a',
    '?a=1',
    'ftp://site.example/',
    'mailto:a@site.example',
    'javascript:void(0)',
    'file:///a',
    'data:text/plain,a',
    'http://',
    'https:///',
    'http://./',
    'http://a b/',
    'http://site.example:99999/',
    'http://[::1',
  ])('%j is no URL', (text) => {
    expect(normalizeUrl(text)).toBeUndefined();
  });
});

describe('the form that a crawler sets', () => {
  test.each<[string, Partial<UrlRules['urlForm']>, string]>([
    ['http://site.example/a', { scheme: 'https' }, `${SITE}/a`],
    ['http://site.example:8080/a', { scheme: 'https' }, 'https://site.example:8080/a'],
    ['https://www.site.example/', { www: 'remove' }, `${SITE}/`],
    ['https://www.example/', { www: 'remove' }, 'https://www.example/'],
    ['https://site.example/', { www: 'add' }, 'https://www.site.example/'],
    ['https://docs.site.example/', { www: 'add' }, 'https://docs.site.example/'],
    ['http://127.0.0.1/', { www: 'add' }, 'http://127.0.0.1/'],
    [`${SITE}/a/`, { trailingSlash: 'remove' }, `${SITE}/a`],
    [`${SITE}/`, { trailingSlash: 'remove' }, `${SITE}/`],
    [`${SITE}/a`, { trailingSlash: 'add' }, `${SITE}/a/`],
    [`${SITE}/a.pdf`, { trailingSlash: 'add' }, `${SITE}/a.pdf`],
    [`${SITE}/a/index.html`, { indexFiles: 'strip' }, `${SITE}/a/`],
    [`${SITE}/Default.aspx`, { indexFiles: 'strip' }, `${SITE}/`],
    [`${SITE}/index.html/index.html`, { indexFiles: 'strip', trailingSlash: 'remove' }, `${SITE}/`],
    [`${SITE}/?b=2&a=1`, { sortQuery: true }, `${SITE}/?a=1&b=2`],
    [`${SITE}/#!/route`, { fragment: 'hashbang' }, `${SITE}/#!/route`],
    [`${SITE}/#/route`, { fragment: 'hashbang' }, `${SITE}/#/route`],
    [`${SITE}/#top`, { fragment: 'hashbang' }, `${SITE}/`],
  ])('%s with %j → %s', (text, form, expected) => {
    expect(normalizeUrl(text, rules(form))).toBe(expected);
  });

  test.each<[Partial<UrlRules['queryParams']>, string]>([
    [{ mode: 'drop' }, ''],
    [{ mode: 'allow', allow: ['id'] }, '?id=7'],
    [{ mode: 'allow', allow: ['fi*'] }, '?filter_a=1&filter_b=2'],
    [{ strip: ['filter_*'] }, '?id=7&view=list'],
    [{ mode: 'allow', allow: ['id', 'view'], strip: ['view'] }, '?id=7'],
  ])('query with %j → %s', (query, expected) => {
    const url = `${SITE}/?id=7&filter_a=1&filter_b=2&view=list`;
    expect(normalizeUrl(url, rules({}, query))).toBe(`${SITE}/${expected}`);
  });

  test('tracking and session parameters stay when the crawler says so', () => {
    const url = `${SITE}/a;jsessionid=1?utm_source=x&PHPSESSID=1`;
    expect(normalizeUrl(url, { ...DEFAULT_URL_RULES, stripTracking: false, stripSession: false })).toBe(url);
  });
});

describe('laws', () => {
  const form = fc.record<UrlRules['urlForm']>({
    scheme: fc.constantFrom('keep', 'https'),
    www: fc.constantFrom('keep', 'add', 'remove'),
    trailingSlash: fc.constantFrom('keep', 'add', 'remove'),
    indexFiles: fc.constantFrom('keep', 'strip'),
    sortQuery: fc.boolean(),
    fragment: fc.constantFrom('drop', 'hashbang'),
  });
  const piece = fc.constantFrom(
    ...[
      'a',
      'B',
      '/',
      '//',
      '.',
      '..',
      '%',
      '%2',
      '%66',
      '%2f',
      '%25',
      '%2e',
      'ä',
      ' ',
      ';jsessionid=1',
      '\\',
      '|',
      '"',
    ],
    ...['?', '&', '=', '#', '#!', 'utm_x=1', 'index.html', 'www.', 'sid=0123456789abcdef', '%7E', '\t', '@', ':'],
  );
  const tail = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
  const host = fc.constantFrom('site.example', 'www.site.example', 'www.www.example', 'WWW.example.', '127.1', '[::1]');
  const url = fc.tuple(fc.constantFrom('http', 'https'), host, tail).map(([scheme, name, rest]) => {
    return `${scheme}://${name}/${rest}`;
  });

  test('the normal form of a normal form is itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(url, fc.webUrl({ withFragments: true, withQueryParameters: true })),
        form,
        (text, urlForm) => {
          const once = normalizeUrl(text, { ...DEFAULT_URL_RULES, urlForm });
          expect(once).toBeDefined();
          expect(normalizeUrl(once as string, { ...DEFAULT_URL_RULES, urlForm })).toBe(once);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('spellings that no server can tell apart have one form and one key', () => {
    const path = fc.array(fc.constantFrom('a', 'B', '/', 'ä', '%2F', '-', '.x'), { maxLength: 8 });
    fc.assert(
      fc.property(path, (parts) => {
        const rest = parts.join('');
        const coded = rest.replaceAll('a', '%61').replaceAll('%2F', '%2f').replaceAll('-', '%2d');
        const spellings = [
          `https://site.example/${rest}`,
          `HTTPS://SITE.EXAMPLE:443/${rest}`,
          `https://me@site.example./${coded}`,
          `https://site.example/${rest}#part`,
          `https://site.example/${coded}?utm_source=x`,
        ];
        expect(new Set(spellings.map((text) => keyOfUrl(normalizeUrl(text) ?? text))).size).toBe(1);
      }),
    );
  });

  test('any text ends as an absolute http URL or as undefined', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const normal = normalizeUrl(text);
        expect(normal === undefined || /^https?:\/\/[^/]+\//.test(normal)).toBe(true);
      }),
    );
  });
});

test('a URL has at most 8,000 characters, as sent and in form', () => {
  const site = 'https://site.example/';
  const longest = site + 'a'.repeat(8_000 - site.length);

  expect(normalizeUrl(longest)).toBe(longest);
  expect(normalizeUrl(`${longest}a`)).toBeUndefined();
  expect(normalizeUrl(`${site}${'ä'.repeat(2_000)}`)).toBeUndefined();
});

test.each([
  ['https://Site.example:443/a', 'https://site.example', 'site.example'],
  ['http://site.example:8080/a', 'http://site.example:8080', 'site.example'],
  ['http://[::1]:8080/', 'http://[::1]:8080', '[::1]'],
  ['mailto:a@site.example', undefined, ''],
  ['nonsense', undefined, ''],
])('origin and host of %s', (url, origin, hostname) => {
  expect([originOf(url), hostOf(url)]).toEqual([origin, hostname]);
});

test('the key of a URL is the head of its SHA-256', () => {
  expect(keyOfUrl('https://site.example/')).toBe(2_480_182_224_671_040_187n);
});
