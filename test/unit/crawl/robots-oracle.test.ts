import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeRobots, parseRobots } from '../../../src/crawl/rules/robots.ts';

const FILES = 10_000;

type Line =
  | { readonly kind: 'agent'; readonly name: string }
  | { readonly kind: 'rule'; readonly allow: boolean; readonly path: string }
  | { readonly kind: 'other'; readonly text: string };

const agent = fc
  .constantFrom('*', '*', '* all', 'fossickbot', 'FossickBot/2.1', 'fossick', 'fossickbot-images', '007')
  .map((name): Line => ({ kind: 'agent', name }));
const PIECES = ['/', 'a', 'a', 'b', '*', '$', '%2F', '%C3%A4', '?', '.'];
const ruleTail = fc.array(fc.constantFrom(...PIECES, '*', '%61', '%2f', 'ä'), { maxLength: 4 });
const rulePath = fc
  .tuple(fc.constantFrom('', '/', '/', '/*', '/a'), ruleTail)
  .map(([start, parts]) => start + parts.join(''));
const rule = fc.tuple(fc.boolean(), rulePath).map(([allow, path]): Line => ({ kind: 'rule', allow, path }));
const other = fc
  .constantFrom(
    '',
    '# Disallow: /',
    'Sitemap: https://x.example/s.xml',
    'Host: x.example',
    'nonsense',
    'Crawl-delay: 3',
  )
  .map((text): Line => ({ kind: 'other', text }));
const file = fc.array(fc.oneof({ arbitrary: agent, weight: 2 }, { arbitrary: rule, weight: 7 }, other), {
  maxLength: 14,
});
const url = fc
  .tuple(fc.constantFrom('', 'a', 'a/'), fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }))
  .map(([start, parts]) => `https://site.example/${start}${parts.join('')}`);

const textOf = (line: Line): string => {
  if (line.kind === 'agent') return `User-agent: ${line.name}`;
  return line.kind === 'rule' ? `${line.allow ? 'Allow' : 'Disallow'}: ${line.path}` : line.text;
};

/** What RFC 9309 says, as directly as it can be written down. */
function isAllowed(lines: readonly Line[], token: string, target: string): boolean {
  const groups: { readonly names: string[]; readonly rules: { allow: boolean; path: string }[] }[] = [];
  let before: Line['kind'] = 'rule';
  for (const line of lines) {
    if (line.kind === 'agent' && before === 'rule') groups.push({ names: [], rules: [] });
    if (line.kind === 'agent') groups.at(-1)?.names.push(tokenOf(line.name));
    if (line.kind === 'rule') groups.at(-1)?.rules.push(line);
    if (line.kind !== 'other') before = line.kind;
  }
  const own = groups.filter(({ names }) => names.includes(token));
  const rules = (own.length > 0 ? own : groups.filter(({ names }) => names.includes('*'))).flatMap(
    (group) => group.rules,
  );
  const { pathname, search } = new URL(target);
  const matching = rules.filter(({ path }) => path !== '' && expressionOf(path).test(folded(pathname + search)));
  const longest = Math.max(...matching.map(({ path }) => folded(path).length));
  const best = matching.filter(({ path }) => folded(path).length === longest);
  return best.length === 0 || best.some(({ allow }) => allow);
}

function tokenOf(name: string): string {
  return name.startsWith('*') ? '*' : (/^[a-z_-]*/i.exec(name)?.[0] ?? '').toLowerCase();
}

function expressionOf(path: string): RegExp {
  const isAnchored = path.endsWith('$');
  const parts = folded(isAnchored ? path.slice(0, -1) : path).split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[.?$/]/g, '\\$&')).join('.*')}${isAnchored ? '$' : ''}`);
}

function folded(path: string): string {
  return path.replaceAll('ä', '%C3%A4').replaceAll('%61', 'a').replaceAll('%2f', '%2F');
}

test('random files are judged as the standard says', () => {
  const verdicts = { allowed: 0, refused: 0 };
  fc.assert(
    fc.property(file, url, (lines, target) => {
      const robots = parseRobots(Buffer.from(lines.map(textOf).join('\n')));
      const { allowed } = judgeRobots(robots, 'fossickbot', target);
      verdicts[allowed ? 'allowed' : 'refused']++;
      expect(allowed).toBe(isAllowed(lines, 'fossickbot', target));
    }),
    { numRuns: FILES },
  );
  // Neither answer is so rare that the comparison says nothing.
  expect(Math.min(verdicts.allowed, verdicts.refused)).toBeGreaterThan(FILES / 20);
});
