import { describe, expect, test } from 'vitest';
import { crawlDelayOf, judgeRobots, parseRobots } from '../../../src/crawl/rules/robots.ts';
import { cpuMs } from '../../helpers/cpu-time.ts';

const read = (text: string) => parseRobots(Buffer.from(text));
const judge = (text: string, path: string, token = 'fossickbot') =>
  judgeRobots(read(text), token, `https://site.example${path}`);
const isAllowed = (text: string, path: string, token?: string) => judge(text, path, token).allowed;
const all = (...rules: string[]) => ['User-agent: *', ...rules].join('\n');

describe('rules', () => {
  test.each<[string, string, boolean]>([
    // RFC 9309 section 2.2.2, table 1 and 2
    [all('Disallow: /foo/bar?baz=quz'), '/foo/bar?baz=quz', false],
    [all('Disallow: /foo/bar?baz=https://foo.bar'), '/foo/bar?baz=https://foo.bar', false],
    [all('Disallow: /foo/bar/ツ'), '/foo/bar/%E3%83%84', false],
    [all('Disallow: /foo/bar/%E3%83%84'), '/foo/bar/%E3%83%84', false],
    [all('Disallow: /foo/bar/%e3%83%84'), '/foo/bar/ツ', false],
    [all('Disallow: /foo/bar/%62%61%7A'), '/foo/bar/baz', false],
    // section 2.2.3
    [all('Disallow: /fish$'), '/fish', false],
    [all('Disallow: /fish$'), '/fish.html', true],
    [all('Disallow: /*.gif$'), '/a/b.gif', false],
    [all('Disallow: /*.gif$'), '/a/b.gif?x', true],
    [all('Disallow: /*.gif$'), '/a.gif/b.gif', false],
    // section 5.1, 5.2
    [all('Disallow: *.gif$', 'Disallow: /example/', 'Allow: /publications/'), '/x.gif', false],
    [all('Disallow: *.gif$', 'Disallow: /example/', 'Allow: /publications/'), '/example/a', false],
    [all('Disallow: *.gif$', 'Disallow: /example/', 'Allow: /publications/'), '/publications/a', true],
    [all('Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'), '/example/page/disallowed.gif', false],
    [all('Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'), '/example/page/x', true],
    // precedence
    [all('Disallow: /', 'Allow: /p'), '/page', true],
    [all('Allow: /folder', 'Disallow: /folder'), '/folder/page', true],
    [all('Disallow: /folder', 'Allow: /folder'), '/folder/page', true],
    [all('Allow: /page', 'Disallow: /*.htm'), '/page.htm', false],
    [all('Allow: /$', 'Disallow: /'), '/', true],
    [all('Allow: /$', 'Disallow: /'), '/page.htm', false],
    // prefixes and wildcards
    [all('Disallow: /fish'), '/fish.html', false],
    [all('Disallow: /fish'), '/Fish', true],
    [all('Disallow: /fish'), '/catfish', true],
    [all('Disallow: /fish/'), '/fish', true],
    [all('Disallow: /fish*'), '/fishheads', false],
    [all('Disallow: /*.php'), '/folder/filename.php?parameters', false],
    [all('Disallow: /*.php'), '/windows.PHP', true],
    [all('Disallow: /fish*.php'), '/fishheads/catfish.php?parameters', false],
    [all('Disallow: /a*b*c$'), '/axbxbxc', false],
    [all('Disallow: /a*b*c$'), '/axbxcx', true],
    [all('Disallow: /*?'), '/a?b', false],
    [all('Disallow: /*?'), '/a', true],
    [all('Disallow: /a$b'), '/a$b', false],
    [all('Disallow: /%2F'), '/%2f', false],
    [all('Disallow: /a/b'), '/a%2Fb', true],
    [all('Disallow: /~user'), '/%7Euser/x', false],
    [all('Disallow:'), '/a', true],
    [all('Disallow: '), '/a', true],
    [all('Disallow: /'), '/robots.txt', true],
    ['', '/a', true],
    ['Disallow: /', '/a', true],
  ])('%j on %s → %s', (text, path, allowed) => {
    expect(isAllowed(text, path)).toBe(allowed);
  });

  test('the deciding rule is told with its line', () => {
    const text = '# ours\n\nUser-agent: *\r\nDisallow: /a # why\nAllow: /a/b\n';
    expect(judge(text, '/a/x')).toEqual({
      allowed: false,
      rule: { allow: false, path: '/a', line: 4, text: 'Disallow: /a' },
    });
    expect(judge(text, '/a/b').rule?.line).toBe(5);
    expect(judge(text, '/c')).toEqual({ allowed: true, rule: undefined });
  });

  test('many wildcards take no long time', () => {
    const text = all(`Disallow: /${'*a'.repeat(2_000)}$`);
    const path = `/${'a'.repeat(4_000)}b`;
    expect(isAllowed(text, path)).toBe(true);
    expect(cpuMs(() => isAllowed(text, path))).toBeLessThan(2_000);
  });
});

describe('groups', () => {
  test.each<[string, string, string, boolean]>([
    ['own group wins over *', 'User-agent: *\nDisallow: /\nUser-agent: fossickbot\nAllow: /', 'fossickbot', true],
    ['token in other case', 'User-agent: FossickBot\nDisallow: /', 'fossickbot', false],
    ['token with a version', 'User-agent: FossickBot/2.1\nDisallow: /', 'fossickbot', false],
    ['token is no prefix', 'User-agent: fossick\nDisallow: /', 'fossickbot', true],
    ['longer token is another', 'User-agent: fossickbot-images\nDisallow: /', 'fossickbot', true],
    ['an empty own group allows', 'User-agent: *\nDisallow: /\nUser-agent: fossickbot\nDisallow:', 'fossickbot', true],
    [
      'groups of one token are merged',
      'User-agent: fossickbot\nAllow: /\nUser-agent: a\nDisallow: /\nUser-agent: fossickbot\nDisallow: /p',
      'fossickbot',
      false,
    ],
    ['several agents share a group', 'User-agent: a\nUser-agent: fossickbot\nDisallow: /', 'fossickbot', false],
    ['a blank line does not end a group', 'User-agent: fossickbot\n\n\nDisallow: /', 'fossickbot', false],
    ['a sitemap does not end a group', 'User-agent: fossickbot\nSitemap: https://x/\nDisallow: /', 'fossickbot', false],
    [
      'an unknown line does not end a list of agents',
      'User-agent: a\nHost: x\nUser-agent: fossickbot\nDisallow: /',
      'a',
      false,
    ],
    ['* with more text is *', 'User-agent: * all\nDisallow: /', 'fossickbot', false],
    ['an agent without token is nobody', 'User-agent: 007\nDisallow: /', 'fossickbot', true],
  ])('%s', (_, text, token, allowed) => {
    expect(isAllowed(text, '/page', token)).toBe(allowed);
  });
});

describe('files as people write them', () => {
  test.each<[string, string]>([
    ['byte order mark', '\ufeffUser-agent: *\nDisallow: /a'],
    ['CR line ends', 'User-agent: *\rDisallow: /a'],
    ['CRLF line ends', 'User-agent: *\r\nDisallow: /a\r\n'],
    ['blanks', '  user-AGENT :  *  \n\tDISALLOW\t:\t/a  '],
    ['comments', 'User-agent: * # all\nDisallow: /a # this'],
    ['missing colons', 'User-agent *\nDisallow /a'],
    ['spelling', 'Useragent: *\nDissallow: /a'],
  ])('%s', (_, text) => {
    expect(isAllowed(text, '/a')).toBe(false);
    expect(isAllowed(text, '/b')).toBe(true);
  });

  test('a page instead of a file allows everything', () => {
    expect(isAllowed('<!doctype html>\n<html><body>Not found</body></html>', '/a')).toBe(true);
  });

  test('what lies beyond 500 KiB is cut at a full line', () => {
    const filler = `# ${'x'.repeat(1_021)}\n`.repeat(499);
    const text = `User-agent: *\nDisallow: /early\n${filler}Disallow: /${'y'.repeat(500)}\nDisallow: /late\n`;
    const cut = `User-agent: *\nDisallow: /a\n${filler.repeat(2)}Disallow: /late\n`;
    expect(isAllowed(text, '/early')).toBe(false);
    expect(isAllowed(cut, '/a')).toBe(false);
    expect(isAllowed(cut, '/late')).toBe(true);
    const middle = `User-agent: *\n${'#'.repeat(500 * 1024 - 14 - 14)}\nDisallow: /abcdef`;
    expect(isAllowed(middle, '/')).toBe(true);
  });

  test('a rule of any bytes is no failure', () => {
    const bytes = Uint8Array.from([...Buffer.from('User-agent: *\nDisallow: /'), 0xff, 0xfe, 0x0a]);
    expect(judgeRobots(parseRobots(bytes), 'fossickbot', 'https://site.example/a').allowed).toBe(true);
  });
});

test('sitemaps are read wherever they stand', () => {
  const text = 'Sitemap: https://site.example/a.xml\nUser-agent: *\nSitemap:/b.xml\nDisallow: /';
  expect(read(text).sitemaps).toEqual(['https://site.example/a.xml', '/b.xml']);
});

test.each<[string, number | undefined]>([
  ['User-agent: *\nCrawl-delay: 2.5', 2.5],
  ['User-agent: *\nDisallow: /a\nCrawl-delay: 7', 7],
  ['User-agent: *\nCrawl-delay: 500', 60],
  ['User-agent: *\nCrawl-delay: soon', undefined],
  ['User-agent: *\nCrawl-delay: Infinity', undefined],
  ['User-agent: *\nCrawl-delay: 1e9', undefined],
  ['User-agent: *\nCrawl-delay: 0x10', undefined],
  ['User-agent: *\nCrawl-delay: .5', 0.5],
  ['User-agent: *\nCrawl-delay:', undefined],
  ['User-agent: *\nCrawl-delay: -1', undefined],
  ['User-agent: other\nCrawl-delay: 5', undefined],
  ['User-agent: fossickbot\nCrawl-delay: 2\nUser-agent: *\nCrawl-delay: 9', 2],
  ['User-agent: other\nCrawl-delay: 9\nUser-agent: fossickbot\nDisallow: /', undefined],
  ['User-agent: other\nUser-agent: fossickbot\nCrawl-delay: 3', 3],
  ['User-agent: *\nCrawl-delay: 9\nUser-agent: fossickbot\nDisallow: /a', undefined],
  ['Crawl-delay: 9', undefined],
])('the delay of %j is %s', (text, seconds) => {
  expect(crawlDelayOf(read(text), 'FossickBot')).toBe(seconds);
});
