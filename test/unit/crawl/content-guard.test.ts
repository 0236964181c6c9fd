import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areRelated,
  areSoftAbsencesRare,
  areSuspicionsRare,
  type Change,
  isSameText,
  isSoftMove,
  looksNotFound,
  type Move,
  suspicionOf,
  withoutUrl,
} from '../../../src/crawl/rules/content-guard.ts';
import { hostConcern } from '../../../src/crawl/rules/host-health.ts';

/** A similarity that differs in so many bits from that of `bits(0)`. */
const bits = (count: number) => BigInt.asIntN(64, (1n << BigInt(count)) - 1n).toString();

describe('texts', () => {
  test.each([
    [bits(0), bits(0), true, true],
    [bits(0), bits(3), true, true],
    [bits(0), bits(4), true, false],
    [bits(0), bits(18), true, false],
    [bits(0), bits(19), false, false],
    [bits(0), bits(64), false, false],
    [undefined, bits(25), true, false],
    [bits(25), undefined, true, false],
  ])('%s and %s are related: %s, the same: %s', (a, b, related, same) => {
    expect([areRelated(a, b), isSameText(a, b)]).toEqual([related, same]);
  });

  test('the order of two texts does not matter', () => {
    const similarity = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    fc.assert(
      fc.property(similarity, similarity, (a, b) => {
        expect([areRelated(a, b), isSameText(a, b)]).toEqual([areRelated(b, a), isSameText(b, a)]);
        expect(isSameText(a, a)).toBe(true);
      }),
    );
  });
});

describe('changes', () => {
  const before = { similarity: bits(0), chars: 1_000, asksPassword: false };
  const change = (after: Partial<Change['after']>, more: Partial<Change> = {}): Change => ({
    before,
    after: { ...before, ...after },
    isElsewhere: false,
    ...more,
  });

  test.each([
    ['the same text', change({}), undefined],
    ['a related text that is short', change({ similarity: bits(18), chars: 10 }), undefined],
    ['another text of the same length', change({ similarity: bits(40) }), undefined],
    ['another text of 30 %', change({ similarity: bits(40), chars: 300 }), undefined],
    ['another text of less', change({ similarity: bits(40), chars: 299 }), 'identical-pages'],
    ['the text of another page', change({ similarity: bits(40) }, { isElsewhere: true }), 'identical-pages'],
    ['a field for a password', change({ asksPassword: true }), 'login-wall'],
    [
      'a field for a password where one was',
      change({ asksPassword: true }, { before: { ...before, asksPassword: true } }),
      undefined,
    ],
    [
      'another text where none is known',
      change({ chars: 1 }, { before: { ...before, similarity: undefined } }),
      undefined,
    ],
  ])('%s', (_name, changed, suspicion) => {
    expect(suspicionOf(changed)).toBe(suspicion);
  });
});

describe('missing pages', () => {
  const notFound = { at: 1, target: 'https://a.test/oops', similarity: bits(0) };
  const page = (similarity: string, redirectedTo?: string) => ({ redirectedTo, similarity: () => similarity });

  test.each([
    ['the text of the error page', page(bits(2)), notFound, true],
    ['another text', page(bits(10)), notFound, false],
    ['a redirect to the error page', page(bits(10), 'https://a.test/oops'), notFound, true],
    ['a redirect elsewhere', page(bits(10), 'https://a.test/b'), notFound, false],
    [
      'any page where missing ones answer 404',
      page(bits(0)),
      { at: 1, target: undefined, similarity: undefined },
      false,
    ],
    ['any page of a host that was not asked', page(bits(0)), undefined, false],
  ])('%s', (_name, seen, known, looks) => {
    expect(looksNotFound(seen, known)).toBe(looks);
  });

  test.each([
    ['No /a/not-here at all', 'https://a.test/a/not-here', 'No   at all'],
    ['No https://a.test/x?y=1 at all', 'https://a.test/x?y=1', 'No   at all'],
    ['No /größe at all', 'https://a.test/gr%C3%B6%C3%9Fe', 'No   at all'],
    ['No page7 at all', 'https://a.test/b/page7', 'No   at all'],
    ['We help you', 'https://a.test/help', 'We help you'],
    ['A / between', 'https://a.test/', 'A / between'],
    ['No /%E0 at all', 'https://a.test/%E0', 'No   at all'],
  ])('%j without %s', (text, url, rest) => {
    expect(withoutUrl(text, url)).toBe(rest);
  });
});

describe('moves', () => {
  const move: Move = { targetIsSeed: false, urlTemplates: 1, before: bits(0), target: bits(10) };

  test.each([
    ['to a page with the text', move, false],
    ['to a page whose text is not known', { ...move, target: undefined }, false],
    ['to the home page', { ...move, targetIsSeed: true }, true],
    ['to what has nothing to do with it', { ...move, target: bits(30) }, true],
    ['like four families', { ...move, urlTemplates: 4 }, false],
    ['like five families', { ...move, urlTemplates: 5 }, true],
  ])('%s are soft: %s', (_name, moved, soft) => {
    expect(isSoftMove(moved)).toBe(soft);
  });
});

describe('hosts', () => {
  const good = (count: number) => 'g'.repeat(count);

  test.each([
    ['', true],
    ['ill', true],
    ['ilil', false],
    [`${good(46)}iill`, true],
    [`${good(45)}iiill`, false],
  ])('suspicious changes are rare among %s: %s', (answers, rare) => {
    expect(areSuspicionsRare(answers)).toBe(rare);
  });

  test.each([
    ['sss', true],
    [`${good(47)}sss`, true],
    [`${good(46)}ssss`, false],
  ])('pages that look missing are rare among %s: %s', (answers, rare) => {
    expect(areSoftAbsencesRare(answers)).toBe(rare);
  });

  const content = { probe: undefined, notFound: undefined, believedUntil: 0 };
  const host = { health: good(50), content, holdReason: undefined, heldUntil: 0, robotsStatus: 200 };

  test.each([
    ['a good host', host, undefined],
    ['a failed probe', { ...host, content: { ...content, probe: { at: 9, failedSince: 5 } } }, 'start-probe'],
    [
      'a probe that met errors',
      { ...host, content: { ...content, probe: { at: 9, failedSince: 5, cause: 'server-error' } } },
      'server-error',
    ],
    [
      'a probe that was good',
      { ...host, content: { ...content, probe: { at: 9, failedSince: undefined } } },
      undefined,
    ],
    ['a hold', { ...host, holdReason: 'rate-limited', heldUntil: 11 }, 'rate-limited'],
    ['a hold that has passed', { ...host, holdReason: 'rate-limited', heldUntil: 10 }, undefined],
    ['logins', { ...host, health: `${good(40)}${'l'.repeat(10)}` }, 'login-wall'],
    ['identical pages', { ...host, health: `${good(40)}${'i'.repeat(10)}` }, 'identical-pages'],
    ['error pages that answer 200', { ...host, health: `${good(40)}${'s'.repeat(10)}` }, 'soft-404'],
    ['pages that keep robots out', { ...host, health: `${good(39)}${'w'.repeat(11)}` }, 'robot-wall'],
    ['refusals', { ...host, health: `${good(39)}${'x'.repeat(11)}` }, 'forbidden'],
    ['failures', { ...host, health: `${good(20)}${'f'.repeat(30)}` }, 'server-error'],
    ['missing pages', { ...host, health: `${good(10)}${'m'.repeat(40)}` }, undefined],
  ] as const)('%s is listed: %s', (_name, state, concern) => {
    expect(hostConcern(state, 10)).toBe(concern);
  });
});
