/**
 * The one table of what work costs, in nanoseconds of processor time per unit (search-engine design 9).
 * `test/integration/search-index/operator-costs.test.ts` measures every operator beside what these say of it.
 */
export const PRICE = {
  posting: 4,
  /** A posting whose positions are read. */
  positionPosting: 120,
  /** A dictionary entry that a scan for fuzzy terms or patterns looks at. */
  entry: 60,
  matchAndCount: 1.3,
  /** A bound of a range that is compared with the value of a match. */
  matchAndRange: 1.2,
  /** A distinct value with matches that may be an item of a facet. */
  facetValue: 70,
  matchAndSortKey: 20,
  /** A hit of the window that bonuses are given to. */
  windowHit: 8_000,
  /** Looking a value or an id up in one segment. */
  lookUp: 500,
  documentAndPredicate: 1.1,
  /** A value of a condition that is read as a number or date. */
  typedValue: 120,
  /** A number that is compared with the values of a condition, and once more per halving of them. */
  documentAndNumber: 6,
  documentAndHalving: 4,
  documentAndDistance: 40,
  /** A distinct value that facets number and sorts rank. */
  value: 150,
  /** A distinct value that is read as a text, and each byte of it, decoded and in lower case. */
  text: 900,
  textByte: 0.6,
  /** A byte of a text, per pattern that is looked for on its own, and for any number of them in an automaton. */
  textByteAndPattern: 0.35,
  textByteInAutomaton: 2.2,
  /** A byte of the patterns of an automaton. */
  patternByte: 60,
  /** A distinct value whose beginning is looked at, and one that is compared with another text. */
  valueAndPrefix: 20,
  valueAndOrder: 25,
  /** A distinct value that is marked for a predicate. */
  valueAndPredicate: 5,
  /** Counting the few matches of one item of the facet above, in one segment. */
  itemAndSegment: 2_000,
  /** A hit whose id is read and that is put in order. */
  hit: 1_000,
  /** A hit whose document is read and written as JSON, and each byte of it; the same for what is marked in it. */
  document: 20_000,
  documentByte: 12,
  highlightByte: 20,
} as const;

/** Bytes of a token of body text with the blank behind it, and of what a document has beside body text. */
export const BYTES_PER_TOKEN = 7;
export const BYTES_BESIDE_TEXT = 1_000;
