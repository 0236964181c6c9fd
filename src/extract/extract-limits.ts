/** All limits of extraction in one place; what lies beyond is cut and noted in the trace. */
export const EXTRACT_LIMITS = {
  /** Decoded text of a page. */
  textChars: 10 * 1024 * 1024,
  /** Decoded text of a file of text, which is read in this process: twice what `Content` holds. */
  textFileChars: 2_000_000,
  nodes: 200_000,
  /** Deeper nodes become children of this depth. */
  depth: 512,
  /** Open elements beyond the depth at which parsing ends: each costs the parser a pass over all others. */
  openElements: 10_000,
  attributeChars: 64 * 1024,
  /** Attributes of one element at which parsing ends: 100,000 of them cost a quarter of a second. */
  attributes: 10_000,
  blocks: 20_000,
  /** Of an HTML page: each costs 13 µs in the process that crawls; of 2,061 real pages none has more than 2,641. */
  pageBlocks: 10_000,
  blockChars: 100_000,
  jsonLdChars: 1024 * 1024,
  jsonLdDepth: 8,
  jsonLdValues: 20_000,
  commentDirectives: 2_000,
  /** State of applications in scripts. */
  stateChars: 5 * 1024 * 1024,
  stateDepth: 64,
  stateValues: 200_000,
  outlinks: 10_000,
  /** Names that a page defines. */
  definitions: 2_000,
  /** Text that one link, heading or date is read from. */
  elementChars: 4_000,
  linkTextChars: 200,
  /** Texts of links that lead to one URL; longer ones than `linkNameChars` are sentences and call nothing by a name. */
  linkTexts: 50,
  linkNameChars: 100,
  contentChars: 1_000_000,
  secondaryTextChars: 20_000,
  headings: 100,
  keywords: 20,
  fieldValueChars: 2_000,
  /** Nodes that an operator's selectors, paths and expressions may look at on one page. */
  ruleVisits: 5_000_000,
  /** Text that an operator's expressions may read on one page. */
  patternChars: 2_000_000,
  /** Values that one rule for a field gives, and characters of each. */
  ruleValues: 200,
  ruleValueChars: 100_000,
  /** Characters of all fields of a document. */
  fieldChars: 1_900_000,
} as const;
