import { boolean, listOf, members, oneOf, text, textLike } from '../binding.ts';
import { visitorMembers } from '../feedback/schemas.ts';
import { FILTERS } from '../search/schemas.ts';
import { VALUE_BOOST } from '../search/value-boost-schema.ts';

const MAX_PROMPT_CHARS = 4_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LANGUAGE = /^[a-z]{2,3}([-_][a-z0-9]{2,8})?$/i;

/** Members that questions and summaries share. Contract: 4.1, 5.1. */
export const composerMembers = {
  language: textLike(LANGUAGE, 'must be a language code like en or en-GB').optional(),
  answerLength: oneOf(['comprehensive', 'concise']).optional(),
  customPrompt: text({ max: MAX_PROMPT_CHARS }).optional(),
  includeCitations: boolean().optional(),
  ...visitorMembers,
};

/** Contract: 4.1. */
export function answerRequest(maxQuestionChars: number) {
  return members({
    question: text({ min: 1, max: maxQuestionChars, trim: true }),
    conversationId: textLike(UUID, 'must be a UUID').optional(),
    filters: FILTERS.default([]),
    valueBoost: VALUE_BOOST.default([]),
    sourceFields: listOf(text({ min: 1 })).optional(),
    ...composerMembers,
  });
}
