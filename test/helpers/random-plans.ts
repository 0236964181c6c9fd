import type { CompareOperator, FilterNode } from '../../src/core/filters.ts';
import type {
  Alternative,
  FacetRequest,
  MatchNode,
  QueryPlan,
  RecencyRule,
  RelevanceSettings,
} from '../../src/search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../../src/search-index/relevance.ts';
import { wordsOf } from '../../src/text/analyzer.ts';
import { foldWord } from '../../src/text/folding.ts';
import { nameTerm } from '../../src/text/term-keys.ts';
import { planOf } from './query-plans.ts';
import type { Random } from './random.ts';
import { randomDocumentId, VOCABULARY } from './random-documents.ts';

const FIELDS = [
  ...['Title', 'Content', 'Description', 'Category', 'Author', 'Price_number', 'Size', 'Count', 'Published_date'],
  ...['Day', 'Place_geo_point', 'Url', 'Note', 'Id', '_type', 'Unknown'],
] as const;
const VALUES = ['Guides', 'News', '', '10', '2.5', '2024', 'PageContent', 'ann 3', 'n/a', '\u{1f600} fun', 'guides'];
const COMPARE: readonly CompareOperator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];

/** A plan with every clause that the first engine answers, most of them small. */
export function randomPlan(random: Random): QueryPlan {
  const maybe = <T>(probability: number, make: () => T): T[] =>
    random.chance(probability) ? random.list(1, 2, make) : [];
  const filter = (probability: number): FilterNode =>
    random.chance(probability) ? randomFilter(random, 2) : { kind: 'all' };
  return planOf({
    match: random.chance(0.3) ? beside(randomMatch(random, 3), randomName(random)) : randomMatch(random, 3),
    operator: random.pick(['AND', 'OR']),
    filter: filter(0.4),
    postFilter: filter(0.2),
    postFilterCounts: random.chance(0.5),
    boosts: maybe(0.3, () => ({
      field: random.pick(FIELDS),
      values: random.list(1, 2, () => random.pick(VALUES)),
      factor: random.pick([2, 0.5, 1.7]),
    })),
    sort: maybe(0.4, () => ({
      field: random.pick([...FIELDS, 'Category', 'Author', '_score']),
      direction: random.pick(['ascending', 'descending']),
    })),
    facets: maybe(0.5, () => randomFacet(random, 2)),
    ranges: maybe(0.3, () => ({
      label: 'ranges',
      field: random.pick(['Price_number', 'Size', 'Count', 'Published_date', 'Day', 'Title']),
      unit: random.pick(['number', 'date']),
      ranges: [
        { from: Number.NEGATIVE_INFINITY, to: 10 },
        { from: 1, to: random.pick([3, 1e12, 1_709_000_000_000]) },
        { from: 10, to: Number.POSITIVE_INFINITY },
      ],
    })),
    pins: random.chance(0.3)
      ? random.list(1, 6, () => ({ id: randomId(random), rank: random.pick([1, 1, 2, 3, 7, 21, 1_000]) }))
      : [],
    removed: random.chance(0.2) ? random.list(1, 4, () => randomId(random)) : [],
    topHits: maybe(0.2, () => ({
      field: random.pick(FIELDS),
      size: random.pick([1, 3, 20]),
      maxFieldValues: random.pick([1, 2, 50]),
    })),
    counts: random.chance(0.9) ? 'exact' : 'none',
    offset: random.pick([0, 0, 3, 20]),
    limit: random.pick([0, 5, 10, 500]),
    spare: random.pick([0, 10]),
    weights: randomWeights(random),
    ...(random.chance(0.3) ? { recency: randomRecency(random) } : {}),
  });
}

/** With and without bonuses, and with windows that end inside a page. */
function randomWeights(random: Random): RelevanceSettings {
  const window = random.pick([0, 1, 4, 20, 200, 200]);
  if (random.chance(0.8)) return { ...DEFAULT_RELEVANCE, window };
  const rerankWeights = { ...DEFAULT_RELEVANCE.rerankWeights, titleIsQuery: 0, stopWords: 3 };
  return { classWeights: { a: 1, b: 0, c: 3 }, k1: 0.9, b: 0.4, window, rerankWeights };
}

function randomRecency(random: Random): RecencyRule {
  return {
    field: random.pick(['Published_date', 'Published_date', 'Day', 'Title', 'Unknown']),
    halfLifeDays: random.pick([0.5, 30, 400]),
    weight: random.pick([0.2, 2]),
    now: random.pick([1_704_067_200_000, 1_709_164_800_000, 1_800_000_000_000]),
  };
}

/** As a query is one of words and a name. */
function beside(match: MatchNode, name: MatchNode): MatchNode {
  return { kind: 'or', of: [...(match.kind === 'or' ? match.of : [match]), name] };
}

function randomName(random: Random): MatchNode {
  const text = random.list(1, 2, () => randomToken(random)).join(' ');
  return {
    kind: 'word',
    text: nameTerm(text) ?? randomToken(random),
    boost: random.pick([1, 0.5]),
    role: 'name',
    fuzzy: 'never',
    also: [],
  };
}

/** Trees of words, phrases and all operators; flat ones of plain words are the most frequent. */
function randomMatch(random: Random, depth: number): MatchNode {
  const word = () => randomWord(random, 0.1);
  const flat = () => random.list(1, 4, () => (random.chance(0.08) ? randomPattern(random) : randomWord(random, 0)));
  const parts = () => random.list(0, 3, () => randomMatch(random, depth - 1));
  if (random.chance(0.08)) return random.chance(0.3) ? randomFilterMatch(random) : randomPattern(random);
  switch (random.whole(0, depth === 0 ? 4 : 11)) {
    case 0:
    case 1:
      return word();
    case 2:
      return random.chance(0.9) ? { kind: 'all' } : { kind: 'none' };
    case 3:
    case 4:
      return {
        kind: 'phrase',
        words: random.list(0, 3, () => randomToken(random)),
        slop: random.pick([0, 0, 1, 5, 60]),
        ...(random.chance(0.3) ? { field: random.pick(FIELDS) } : {}),
        boost: random.pick([1, 2.5]),
      };
    case 5:
      return { kind: 'and', of: flat() };
    case 6:
    case 7:
      return { kind: 'or', of: flat() };
    case 8:
      return { kind: 'some', must: flat(), should: flat() };
    case 9:
      return { kind: 'and', of: [...flat(), { kind: 'not', of: [word()] }] };
    case 10:
      return { kind: random.pick(['and', 'or']), of: parts() };
    default:
      return random.chance(0.5) ? { kind: 'not', of: parts() } : { kind: 'some', must: parts(), should: parts() };
  }
}

function randomWord(random: Random, fieldChance: number): MatchNode {
  return {
    kind: 'word',
    text: random.chance(0.1) ? misspelt(random, randomToken(random)) : randomToken(random),
    ...(random.chance(fieldChance) ? { field: random.pick(FIELDS) } : {}),
    boost: random.pick([1, 1, 1, 2]),
    role: random.chance(0.1) ? 'stop' : 'content',
    fuzzy: random.chance(0.2) ? 'when-absent' : 'never',
    also: random.chance(0.2) ? random.list(1, 3, () => randomAlternative(random)) : [],
  };
}

function randomFilterMatch(random: Random): MatchNode {
  return { kind: 'filter', filter: randomFilter(random, 1), boost: random.pick([1, 2.5]) };
}

function randomPattern(random: Random): MatchNode {
  const token = foldWord(randomToken(random));
  const rest = { ...(random.chance(0.4) ? { field: random.pick(FIELDS) } : {}), boost: random.pick([1, 2]) };
  const head = token.slice(0, random.whole(0, 4)).toWellFormed();
  switch (random.whole(0, 2)) {
    case 0:
      return { kind: 'prefix', pattern: head, ...rest };
    case 1: {
      const tail = token.slice(-2).toWellFormed();
      const pattern = random.pick([
        `${head}*`,
        `*${tail}`,
        `${head}?`,
        `*${tail}*`,
        `${head}*${tail}`,
        '??',
        `\\${head}*`,
      ]);
      return { kind: 'wildcard', pattern, ...rest };
    }
    default: {
      const text = random.chance(0.5) ? misspelt(random, token) : token;
      return { kind: 'fuzzy', text, distance: random.pick([0, 1, 2]), ...rest };
    }
  }
}

/** A token with one or two edits. */
export function misspelt(random: Random, token: string): string {
  const at = random.whole(0, token.length);
  const [left, right] = [token.slice(0, at), token.slice(at)];
  const edited = random.pick([
    left + right.slice(1),
    `${left}e${right}`,
    `${left}x${right.slice(1)}`,
    left + right.slice(1, 2) + right.slice(0, 1) + right.slice(2),
  ]);
  return random.chance(0.3) ? misspelt(random, edited) : edited;
}

function randomAlternative(random: Random): Alternative {
  return {
    words: random.list(random.chance(0.1) ? 0 : 1, random.pick([1, 1, 2]), () => randomToken(random)),
    slop: random.pick([0, 1, 40]),
    weight: random.pick([1, 0.8, 0.7]),
    source: random.pick(['synonym', 'split']),
  };
}

export function randomToken(random: Random): string {
  return random.pick(wordsOf(random.pickSkewed(VOCABULARY)));
}

/** Most of them name a document of a small corpus. */
function randomId(random: Random): string {
  return randomDocumentId(random, random.whole(1, 40));
}

function randomFacet(random: Random, depth: number): FacetRequest {
  const field = random.pick(FIELDS);
  return {
    name: `facet of ${field}`,
    field,
    orderBy: random.pick(['DocCount', 'DocCount', 'DocScore', 'Alphabetically']),
    direction: random.pick(['Asc', 'Desc']),
    size: random.pick([1, 3, 50]),
    includeEmpty: random.chance(0.2),
    facets: depth > 0 && random.chance(0.3) ? [randomFacet(random, depth - 1)] : [],
  };
}

export function randomFilter(random: Random, depth: number): FilterNode {
  const field = random.pick(FIELDS);
  const parts = () => random.list(0, 3, () => randomFilter(random, depth - 1));
  const bounds = (values: readonly number[]) => [random.pick(values), random.pick(values)] as const;
  switch (random.whole(depth === 0 ? 3 : 0, 10)) {
    case 0:
      return { kind: 'and', of: parts() };
    case 1:
      return { kind: 'or', of: parts() };
    case 2:
      return { kind: 'not', of: randomFilter(random, depth - 1) };
    case 3:
    case 4:
      return { kind: 'value', field, values: random.list(1, 3, () => random.pick(VALUES)) };
    case 5: {
      const [min, max] = bounds([Number.NEGATIVE_INFINITY, -3, 1, 10, 100, Number.POSITIVE_INFINITY]);
      return { kind: 'number', field: random.pick(['Price_number', 'Size', 'Count', field]), min, max };
    }
    case 6: {
      const [from, to] = bounds([
        Number.NEGATIVE_INFINITY,
        1_704_067_200_000,
        1_709_164_800_000,
        Number.POSITIVE_INFINITY,
      ]);
      return { kind: 'date', field: random.pick(['Published_date', 'Day', field]), from, to };
    }
    case 7: {
      const metres = random.pick([0, 200_000, 30_000_000]);
      return {
        kind: 'geo',
        field: random.pick(['Place_geo_point', field]),
        latitude: 55.6761,
        longitude: 12.5683,
        metres,
      };
    }
    case 8:
      return random.chance(0.2) ? { kind: 'none' } : { kind: 'exists', field };
    case 9: {
      const values = random.list(1, 2, () => random.pick([...VALUES, '2024-02', 'M', 'long']));
      return { kind: 'compare', field, operator: random.pick(COMPARE), values };
    }
    default: {
      const values = random.list(1, 2, () => random.pick(['G', 'ann', 'xx 2', '2024', 'LONG', '']));
      return { kind: 'text', field, operator: random.pick(['prefix', 'contains']), values };
    }
  }
}
