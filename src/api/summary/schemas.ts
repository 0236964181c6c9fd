import { composerMembers } from '../answer/schemas.ts';
import { integer, listOf, members, oneOf, text } from '../binding.ts';

const MAX_SOURCES = 5;
const MAX_QUERY_CHARS = 4_000;
const HIGHEST_INDEX = 1_000_000;

const SOURCE = members({
  id: text({ min: 1 }),
  fields: listOf(text({ min: 1 })).optional(),
  resultIndex: integer({ min: 0, max: HIGHEST_INDEX }).optional(),
});

/** Contract: 5.1. */
export const SUMMARY_REQUEST = members({
  query: text({ min: 1, max: MAX_QUERY_CHARS, trim: true }),
  queryId: text().optional(),
  sources: listOf(SOURCE, { min: 1, max: MAX_SOURCES }),
  length: oneOf(['comprehensive', 'concise']).optional(),
  ...composerMembers,
});
