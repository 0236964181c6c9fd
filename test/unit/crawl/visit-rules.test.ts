import { describe, expect, test } from 'vitest';
import { VISIT_RULES } from '../../../src/crawl/visit/decide-visit.ts';
import type { VisitFacts } from '../../../src/crawl/visit/decision.ts';
import { extraction, fetched, row, visit } from '../../helpers/visit-facts.ts';

const LIVE = { state: 'live', contentHash: '-1', reason: 'new' } as const;
const NO_INDEX = { index: false, follow: true, snippet: true, unavailableAfter: undefined, sources: [] };
const ELSEWHERE = { url: 'https://site.example/b', state: undefined } as const;

/** In the order of the rules: a visit that each of them decides about, and that none before it does. */
const DECIDED: readonly (readonly [string, Partial<VisitFacts>])[] = [
  ['failed', { failure: { reason: 'timeout', detail: undefined }, fetched: undefined, extraction: undefined }],
  ['not-modified', { row: row({}, LIVE), fetched: fetched({ status: 304 }), extraction: undefined }],
  ['missing', { row: row({}, LIVE), fetched: fetched({ status: 410 }), extraction: undefined }],
  ['bad-status', { fetched: fetched({ status: 500 }), extraction: undefined }],
  [
    'guarded-redirect',
    {
      row: row({}, LIVE),
      target: { ...ELSEWHERE, by: 'redirect' },
      host: { ...visit().host, notFound: { at: 0, target: ELSEWHERE.url, similarity: undefined } },
      extraction: undefined,
    },
  ],
  ['redirect', { target: { ...ELSEWHERE, by: 'redirect' }, extraction: undefined }],
  ['same-body', { row: row({}, LIVE), sameBody: true, extraction: undefined }],
  [
    'cut-off',
    { fetched: fetched({ end: { isReported: false, hasTag: false } }), row: row({}, { ...LIVE, hasEndTag: true }) },
  ],
  ['unreadable', { extraction: extraction({ status: 'malformed' }) }],
  ['browser', { rendering: { kind: 'needed', detail: '{}', observed: undefined } }],
  ['robot-wall', { row: row({}, LIVE), extraction: extraction({ robotWall: 'phrases', directives: NO_INDEX }) }],
  ['guarded', { row: row({}, LIVE), document: { kind: 'FileContent', origin: 'crawled' } }],
  ['directive', { row: row({}, LIVE), extraction: extraction({ directives: NO_INDEX }) }],
  ['follow-only', { row: row({ url: 'https://site.example/list' }) }],
  ['names-another', { target: { ...ELSEWHERE, by: 'canonical' } }],
  ['without-text', { extraction: extraction({ fields: new Map() }) }],
  ['stored', {}],
];

describe('the table of rules', () => {
  test('has an example of each rule, in its order', () => {
    expect(DECIDED.map(([name]) => name)).toEqual(VISIT_RULES.map(({ name }) => name));
  });

  test.each(DECIDED)('%s decides about its example, and no rule before it', (name, changes) => {
    const facts = visit(changes);

    expect(VISIT_RULES.find(({ decide }) => decide(facts) !== undefined)?.name).toBe(name);
  });
});
