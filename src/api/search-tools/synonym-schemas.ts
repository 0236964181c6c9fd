import { z } from 'zod';
import { integer, listOf, members, text, textLike } from '../binding.ts';

const HIGHEST_ID = 2_147_483_647;

/** Codes as they are stored; looked up in any case. Contract: 10. */
export const LANGUAGE_CODE = /^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})?$/;

const group = {
  words: listOf(text()).refine((words) => words.some((word) => word.trim() !== ''), 'must have at least one word'),
  language: textLike(LANGUAGE_CODE, 'must be a language code like "en" or "en-GB"'),
};

export const NEW_GROUP = members(group);
export const CHANGED_GROUP = members({ ...group, groupId: integer({ min: -HIGHEST_ID, max: HIGHEST_ID }) });

/** One number, a list, or text with commas; repeated parameters come as a list. */
const ids = z.unknown().transform((sent, context): readonly number[] => {
  const parts = [sent].flat().flatMap((part) => (typeof part === 'string' ? part.split(',') : [part]));
  const numbers = parts.map(idOf);
  if (sent !== undefined && numbers.length > 0 && numbers.every((id) => id !== undefined)) return numbers;
  context.issues.push({ code: 'custom', input: sent, message: 'must name at least one group by its number: 1,2' });
  return z.NEVER;
});

/** `groupIds` of a query string or body; a body may also be the list itself. */
export const GROUP_IDS = z.preprocess(
  (sent) => (typeof sent === 'string' || Array.isArray(sent) ? { groupIds: sent } : (sent ?? {})),
  members({ groupIds: ids }),
);

function idOf(part: unknown): number | undefined {
  const sent = typeof part === 'string' ? part.trim() : part;
  return integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }).safeParse(sent).data;
}
