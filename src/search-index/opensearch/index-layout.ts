import type { Json } from './connection.ts';

/**
 * How the index of an engine lies on the servers. Texts are analysed by `text` alone: the fields hold its tokens,
 * and the servers only split at blanks.
 *
 * | Field | Holds | For |
 * | --- | --- | --- |
 * | `rid`, `crawler`, `id`, `language` | the document | identity, ties |
 * | `terms` | each term with its tf byte as its frequency | words, document frequencies, scores |
 * | `a`, `b`, `c` | terms of a text class at their positions, a value each | phrases |
 * | `named` | the same with the name of their field, but for class c | words and phrases of a field |
 * | `surfaces`, `titled`, `body`, `namedSurfaces` | folded words of searched text, of titles, of class c, of fields | patterns, near words |
 * | `written` | folded words with the form that is written | display of near words |
 * | `length`, `tokens` | judged length as scores take it, tokens of class c | scores |
 * | `has`, `filled`, `notNumber`, `notDate` | names of fields | types of fields, existence |
 * | `value.*`, `order.*`, `number.*`, `date.*`, `point.*` | values of each field | filters, facets, sorts |
 * | `phrases`, `completions` | words of titles and headings | completions |
 *
 * `terms`, `a`, `b`, `c` and `titleName` are read back to give bonuses to the best hits and to explain.
 */

/** Between tokens that stand at one position, and between a term and its frequency. */
export const STACKED = '\u0002';
/** Stands where a position holds nothing, and before terms that only unsearched fields have. */
export const UNSEARCHED = '\u0004';
/**
 * Between the name of a field and what belongs to it; before folded words of no field, as suggesters find no word with
 * another beginning two edits away.
 */
export const OF_FIELD = ':';
/** Between the parts of a composed value. */
export const PART = '\u0000';

/** No phrase reaches from one value into the next. */
const VALUE_GAP = 10_000;
/** UTF-8 bytes of a value that is kept as it is; longer ones by their hash. */
export const MAX_VALUE_BYTES = 1_000;
/** Characters of a value by which texts are ordered and looked through. */
export const MAX_ORDER_CHARS = 500;
/** Each field of a document takes up to five of these. */
const MAX_MAPPED_FIELDS = 50_000;
/** Facets are exact up to as many values of a shard. */
export const MAX_FACET_VALUES = 10_000;
/** Regular expressions for words within some edits grow with the square of the word. */
const MAX_REGEX_CHARS = 200_000;
/** Hits that one search may reach. */
export const MAX_HITS = 100_000;

export type Layout = { readonly shards: number; readonly replicas: number };

export const STATE_ID = 'state';

/** The alias of an engine, which searches name. */
export function aliasOf(prefix: string, engineId: number): string {
  return `${prefix}-engine-${engineId}`;
}

/** A field name as part of a name that the servers know. */
export function encodeName(field: string): string {
  return /^[A-Za-z0-9_]+$/.test(field) ? field : `~${Buffer.from(field).toString('base64url')}`;
}

/** Counts changes of this file that indexes which were made before do not fit. */
const LAYOUT = 2;

/**
 * The name of an index for writing, an alias: servers make what is gone by its own name anew, without this layout. An
 * index of another layout has no such alias.
 */
export function writtenName(index: string): string {
  return `${index}-v${LAYOUT}`;
}

export function indexBody(index: string, { shards, replicas }: Layout): Json {
  return { settings: settingsOf(shards, replicas), mappings: MAPPINGS, aliases: { [writtenName(index)]: {} } };
}

function settingsOf(shards: number, replicas: number): Json {
  return {
    index: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      // Only a refresh of the writer publishes, so that the changes of one appear together.
      refresh_interval: -1,
      max_result_window: MAX_HITS,
      'mapping.total_fields.limit': MAX_MAPPED_FIELDS,
      max_terms_count: 65_536,
      max_regex_length: MAX_REGEX_CHARS,
      max_inner_result_window: MAX_HITS,
    },
    analysis: {
      tokenizer: { blanks: { type: 'whitespace', max_token_length: 1_000_000 } },
      filter: {
        counts: { type: 'delimited_term_freq', delimiter: STACKED },
        stacked: { type: 'pattern_capture', preserve_original: false, patterns: [`([^${STACKED}]+)`] },
      },
      analyzer: {
        counted: { tokenizer: 'blanks', filter: ['counts'] },
        placed: { tokenizer: 'blanks', filter: ['stacked'] },
      },
    },
  };
}

const LONG = { type: 'long' } as const;
const KEYWORD = { type: 'keyword' } as const;
const MATCHED_ONLY = { type: 'keyword', doc_values: false } as const;
const PLACED = { type: 'text', analyzer: 'placed', norms: false, position_increment_gap: VALUE_GAP } as const;
const ANY_NAME = { type: 'object', dynamic: true } as const;

const template = (name: string, mapping: Json) => ({ [name]: { path_match: `${name}.*`, mapping } });

const MAPPINGS: Json = {
  dynamic: false,
  _source: { includes: ['terms', 'a', 'b', 'c', 'titleName', 'seq', 'generation', 'storeId', 'epoch'] },
  date_detection: false,
  dynamic_templates: [
    template('value', KEYWORD),
    template('order', KEYWORD),
    template('number', { type: 'double' }),
    template('date', { type: 'double' }),
    template('point', { type: 'geo_point' }),
  ],
  properties: {
    rid: LONG,
    crawler: LONG,
    id: KEYWORD,
    language: KEYWORD,
    terms: { type: 'text', analyzer: 'counted', index_options: 'freqs', norms: false },
    a: PLACED,
    b: PLACED,
    c: PLACED,
    named: PLACED,
    surfaces: KEYWORD,
    titled: MATCHED_ONLY,
    body: KEYWORD,
    namedSurfaces: KEYWORD,
    written: KEYWORD,
    length: { type: 'double' },
    tokens: LONG,
    has: KEYWORD,
    filled: KEYWORD,
    notNumber: KEYWORD,
    notDate: KEYWORD,
    beside: KEYWORD,
    phrases: PLACED,
    completions: KEYWORD,
    seq: LONG,
    generation: LONG,
    value: ANY_NAME,
    order: ANY_NAME,
    number: ANY_NAME,
    date: ANY_NAME,
    point: ANY_NAME,
  },
};
