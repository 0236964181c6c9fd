import { composerMembers, DEFAULT_FIELDS, LENGTH, SOURCE_FIELD_NAMES } from '../answer/schemas.ts';
import { integer, listOf, members, text } from '../binding.ts';
import { presentTexts } from '../feedback/schemas.ts';

const MAX_SOURCES = 5;
const MAX_QUERY_CHARS = 4_000;
const HIGHEST_INDEX = 1_000_000;

const SOURCE = members({
  id: text({ min: 1 }),
  fields: SOURCE_FIELD_NAMES.default(DEFAULT_FIELDS),
  resultIndex: integer({ min: 0, max: HIGHEST_INDEX }).optional(),
}).transform(({ id, fields }) => ({ id, fields }));

/** Contract: 5.1. */
export const SUMMARY_REQUEST = members({
  query: text({ min: 1, max: MAX_QUERY_CHARS, trim: true }),
  queryId: text().optional(),
  sources: listOf(SOURCE, { min: 1, max: MAX_SOURCES }),
  length: LENGTH.optional(),
  ...composerMembers,
}).transform(({ query, queryId, sources, length, ...sent }) => {
  const { language, answerLength, customPrompt, includeCitations, ...visitor } = sent;
  return {
    query,
    sources,
    language,
    customPrompt,
    includeCitations,
    length: answerLength ?? length ?? ('comprehensive' as const),
    visitor: presentTexts({ ...visitor, queryId }),
  };
});
