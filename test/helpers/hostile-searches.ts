import type { Random } from './random.ts';

const FIELDS = ['Content', 'Title', 'Unique', 'Number', 'Seen_date', 'Place_geo_point', 'Id', '_type', 'Unknown'];
const OPERATORS = ['Eq', 'Ne', 'Gt', 'Gte', 'Lt', 'Lte', 'Exists', 'NotExists', 'Prefix', 'Contains'];
const QUERIES = [
  '*',
  'page',
  'page of value category',
  '*a*',
  'pa* ca*',
  'pgae~2',
  '"page of"~5',
  'Content:*e*',
  '????',
];

/** So many texts that no page of `longDocuments` holds; `of` makes them others than those of other searches. */
export function absentValues(count: number, of = 'q'): readonly string[] {
  return Array.from({ length: count }, (_, i) => `${of} zx${i} jv xq`);
}

export function condition(comparisonOperator: string, values: readonly string[], field = 'Content') {
  return { field, comparisonOperator, values };
}

export function anyCondition(count: number, make: (i: number) => object) {
  return { operator: 'Or', filters: Array.from({ length: count }, (_, i) => make(i)) };
}

/** Makes bodies of searches of `longDocuments`, each at any limit of contract 1.9 or beyond, alone or with others. */
export function hostileSearches(random: Random): () => object {
  const maybe = <T>(name: string, make: () => T) => (random.chance(0.4) ? { [name]: make() } : {});
  const field = () => random.pick(FIELDS);
  const valuesFor = (operator: string) =>
    absentValues(/^(Gt|Lt)/.test(operator) ? 1 : random.pick([1, 1, 40, 1_000]), `${random.whole(0, 1e9)}`);
  const leaf = () => {
    const operator = random.pick(OPERATORS);
    return { ...condition(operator, valuesFor(operator), field()), operator: random.pick(['And', 'Or']) };
  };
  const ranges = () => Array.from({ length: 100 }, (_, i) => ({ from: `${i}`, to: `${i + 1}` }));
  return () => ({
    query: random.pick(QUERIES),
    perPage: random.pick([10, 1_000, 10_000]),
    highlight: random.chance(0.5),
    responseType: random.pick(['JsonObject', 'JsonHtml']),
    ...maybe('advancedPostFilter', () => anyCondition(random.pick([1, 4, 40]), leaf)),
    ...maybe('filters', () => ({ [field()]: absentValues(1_000), range: ['Number', '1', ''] })),
    ...maybe('facets', () => [field(), field()]),
    ...maybe('rangeFacets', () => ({ all: { field: 'Number', ranges: ranges() } })),
    ...maybe('topHitsFields', () => [{ field: field(), size: 20, maxFieldValues: 50 }]),
    ...maybe('sort', () => ({ [field()]: 'desc', [field()]: 'asc' })),
  });
}
