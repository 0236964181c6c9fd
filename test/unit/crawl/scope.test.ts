import { describe, expect, test } from 'vitest';
import {
  compileRule,
  compileScope,
  domainsOfSeeds,
  type ScopeCandidate,
  type ScopeSettings,
} from '../../../src/crawl/rules/scope.ts';

const OPEN: ScopeSettings = {
  domains: ['site.example'],
  include: [],
  exclude: [],
  fileTypes: 'all',
  limits: { depth: 3, pages: 100 },
};

function judge(url: string, settings: Partial<ScopeSettings> = {}, candidate: Partial<ScopeCandidate> = {}) {
  return compileScope({ ...OPEN, ...settings })({ url, depth: 0, queued: false, knownUrls: 0, ...candidate });
}

describe('rules', () => {
  test.each<[string, string, boolean]>([
    // prefix at a segment border
    ['/docs', 'https://site.example/docs', true],
    ['/docs', 'https://site.example/docs/a', true],
    ['/docs', 'https://site.example/docs?x=1', true],
    ['/docs', 'https://site.example/docsearch', false],
    ['/docs', 'https://site.example/a/docs', false],
    ['/docs', 'https://site.example/Docs', false],
    ['/docs/', 'https://site.example/docs/', true],
    ['/docs/', 'https://site.example/docs/a/b', true],
    ['/docs/', 'https://site.example/docs', false],
    ['/', 'https://site.example/anything', true],
    ['site.example/docs', 'https://site.example/docs/a', true],
    ['site.example/docs', 'https://other.example/docs/a', false],
    ['site.example', 'https://site.example/', true],
    ['site.example', 'https://site.example.evil.test/', false],
    ['site.example:8443/a', 'https://site.example:8443/a', true],
    // globs
    ['/docs/*', 'https://site.example/docs/a', true],
    ['/docs/*', 'https://site.example/docs/a/b', false],
    ['/docs/*', 'https://site.example/docs/', true],
    ['/docs/**', 'https://site.example/docs/a/b', true],
    ['/docs/**', 'https://site.example/docs', true],
    ['/docs/**', 'https://site.example/docsearch', false],
    ['/**/print', 'https://site.example/a/b/print', true],
    ['/*.pdf', 'https://site.example/a.pdf', true],
    ['/*.pdf', 'https://site.example/a.pdf?v=2', true],
    ['/**.pdf', 'https://site.example/a/b.pdf', true],
    ['/**?*print=*', 'https://site.example/a/b?x=1&print=1', true],
    ['/**?*print=*', 'https://site.example/a/b?x=1', false],
    ['/a.b*', 'https://site.example/aXb1', false],
    ['/a-b/*', 'https://site.example/a-b/c', true],
    ['/(a)[b]*', 'https://site.example/(a)[b]c', true],
    ['*.site.example/**', 'https://docs.site.example/a/b', true],
    ['*.site.example/**', 'https://site.example/a', false],
    // regular expressions and parts
    ['re:^https://site\\.example/\\d+$', 'https://site.example/42', true],
    ['re:^https://site\\.example/\\d+$', 'https://site.example/x', false],
    ['re:print', 'https://site.example/a?print=1', true],
    ['contains:print=1', 'https://site.example/a?print=1', true],
    ['contains:PRINT', 'https://site.example/a?print=1', false],
  ])('%s on %s → %s', (rule, url, expected) => {
    expect(compileRule(rule).matches(new URL(url))).toBe(expected);
  });

  test('a broken regular expression is refused when it is compiled', () => {
    expect(() => compileRule('re:(')).toThrow(SyntaxError);
  });
});

describe('verdicts', () => {
  const long = 'a'.repeat(2_100);
  test.each<[string, Partial<ScopeSettings>, Partial<ScopeCandidate>, string, string?]>([
    ['https://site.example/', {}, {}, 'in'],
    ['http://site.example/', {}, {}, 'in'],
    ['https://site.example:443/', {}, {}, 'in'],
    ['mailto:a@site.example', {}, {}, 'scheme'],
    ['ftp://site.example/', {}, {}, 'scheme'],
    ['nonsense', {}, {}, 'scheme'],
    ['https://other.example/', {}, {}, 'out-of-domain', 'site.example'],
    ['https://docs.site.example/', {}, {}, 'out-of-domain'],
    ['https://site.example:8443/', {}, {}, 'out-of-domain'],
    ['https://site.example:8443/', { domains: ['site.example:8443'] }, {}, 'in'],
    ['https://site.example/', { domains: ['site.example:8443'] }, {}, 'out-of-domain'],
    ['https://docs.site.example/', { domains: ['*.site.example'] }, {}, 'in'],
    ['https://site.example/', { domains: ['*.site.example'] }, {}, 'out-of-domain'],
    ['https://evilsite.example/', { domains: ['*.site.example'] }, {}, 'out-of-domain'],
    ['http://[::1]:8080/', { domains: ['[::1]:8080'] }, {}, 'in'],
    [`https://site.example/${long}`, {}, {}, 'too-long', '2048 characters'],
    [`https://site.example/${long}`, {}, { queued: true }, 'in'],
    [`https://site.example/${'a/'.repeat(21)}`, {}, {}, 'too-long', '20 segments'],
    [`https://site.example/?${'a=1&'.repeat(20)}a=1`, {}, {}, 'too-long', '20 parameters'],
    ['https://site.example/a', { exclude: ['/a'] }, {}, 'excluded', '/a'],
    ['https://site.example/a', { exclude: ['/a'], include: ['/a'] }, {}, 'excluded', '/a'],
    ['https://site.example/b', { include: ['/a'] }, {}, 'not-included', '/a'],
    ['https://site.example/a/b', { include: ['/x', '/a'] }, {}, 'in', '/a'],
    ['https://site.example/a.jpg', {}, {}, 'unreadable-type', 'jpg'],
    ['https://site.example/a.CSS', {}, {}, 'unreadable-type', 'css'],
    ['https://site.example/a.exe', { fileTypes: ['exe'] }, {}, 'unreadable-type', 'exe'],
    ['https://site.example/a.pdf', {}, {}, 'in'],
    ['https://site.example/a.pdf', { fileTypes: ['docx'] }, {}, 'file-type', 'pdf'],
    ['https://site.example/a.pdf', { fileTypes: ['pdf'] }, {}, 'in'],
    ['https://site.example/a.dotm', { fileTypes: ['pdf'] }, {}, 'file-type', 'dotm'],
    ['https://site.example/a.markdown', { fileTypes: ['pdf'] }, {}, 'file-type', 'markdown'],
    ['https://site.example/a.pptm', { fileTypes: ['pptx'] }, {}, 'file-type', 'pptm'],
    ['https://site.example/a.markdown', { fileTypes: ['md'] }, {}, 'file-type', 'markdown'],
    ['https://site.example/a.markdown', { fileTypes: ['markdown'] }, {}, 'in'],
    ['https://site.example/a.html', { fileTypes: [] }, {}, 'in'],
    ['https://site.example/v1.2', {}, {}, 'in'],
    ['https://site.example/a', {}, { depth: 3 }, 'in'],
    ['https://site.example/a', {}, { depth: 4 }, 'too-deep', '3'],
    ['https://site.example/a', {}, { knownUrls: 99 }, 'in'],
    ['https://site.example/a', {}, { knownUrls: 100 }, 'page-limit', '100'],
    ['https://site.example/a', {}, { closedBy: '20 pages of /{n}' }, 'trap', '20 pages of /{n}'],
    ['https://other.example/a.jpg', { exclude: ['/a'] }, { depth: 9 }, 'out-of-domain'],
  ])('%s with %j %j → %s', (url, settings, candidate, expected, rule) => {
    const verdict = judge(url, settings, candidate);
    expect(verdict.in ? 'in' : verdict.reason).toBe(expected);
    if (rule !== undefined) expect(verdict.rule).toBe(rule);
  });
});

test.each([
  [['https://site.example/a'], ['site.example', 'www.site.example']],
  [['https://www.site.example/'], ['www.site.example', 'site.example']],
  [['http://127.0.0.1:8080/', 'nonsense'], ['127.0.0.1:8080']],
  [['http://[fd00::1]:8080/'], ['[fd00::1]:8080']],
  [
    ['https://a.example/', 'https://a.example/b'],
    ['a.example', 'www.a.example'],
  ],
])('domains of the seeds %j', (seeds, domains) => {
  expect(domainsOfSeeds(seeds)).toEqual(domains);
});
