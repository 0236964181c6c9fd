import { boolean, listOf, members, oneOf, text, textLike } from '../binding.ts';
import { presentTexts, visitorMembers } from '../feedback/schemas.ts';
import { FILTERS } from '../search/schemas.ts';
import { VALUE_BOOST } from '../search/value-boost-schema.ts';

const MAX_PROMPT_CHARS = 4_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LANGUAGE = /^[a-z]{2,3}([-_][a-z0-9]{2,8})?$/i;
/** What answers are made of unless the caller names other fields. Contract: 4.1. */
export const DEFAULT_FIELDS: readonly string[] = ['Title', 'Description', 'Content'];
/** As many as a document may have. Contract: 1.9. */
const MAX_SOURCE_FIELDS = 1_000;

export const LENGTH = oneOf(['comprehensive', 'concise']);
export const SOURCE_FIELD_NAMES = listOf(text({ min: 1 }), { max: MAX_SOURCE_FIELDS }).transform(
  (names): readonly string[] => (names.length === 0 ? DEFAULT_FIELDS : [...new Set(names)]),
);

/** Members that questions and summaries share. Contract: 4.1, 5.1. */
export const composerMembers = {
  language: textLike(LANGUAGE, 'must be a language code like en or en-GB').optional(),
  answerLength: LENGTH.optional(),
  customPrompt: text({ max: MAX_PROMPT_CHARS }).optional(),
  includeCitations: boolean().default(false),
  ...visitorMembers,
};

/** Contract: 4.1. */
export function answerRequest(maxQuestionChars: number) {
  return members({
    question: text({ min: 1, max: maxQuestionChars, trim: true }),
    conversationId: textLike(UUID, 'must be a UUID').optional(),
    filters: FILTERS.default([]),
    valueBoost: VALUE_BOOST.default([]),
    sourceFields: SOURCE_FIELD_NAMES.default(DEFAULT_FIELDS),
    ...composerMembers,
  }).transform(({ question, conversationId, filters, valueBoost, sourceFields, ...sent }) => {
    const { language, answerLength, customPrompt, includeCitations, ...visitor } = sent;
    return {
      question,
      filters,
      boosts: valueBoost,
      sourceFields,
      language,
      customPrompt,
      includeCitations,
      conversationId: conversationId?.toLowerCase(),
      length: answerLength ?? ('comprehensive' as const),
      visitor: presentTexts(visitor),
    };
  });
}
