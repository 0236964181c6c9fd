import { z } from 'zod';
import { editDistance } from './compare-text.ts';

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object with members',
  record: 'an object with members',
  string: 'a text',
};
const UNITS: Readonly<Record<string, string>> = { array: ' items', string: ' characters' };
const FORMATS: Readonly<Record<string, string>> = { datetime: 'a time such as 2030-01-31T00:00:00Z' };

/**
 * Words for Zod's own checks, which follow the name of a member; for unknown members a line each (`suggestNames`).
 * Undefined where Zod's words do; a message that a schema gives itself comes first.
 */
export function ruleWords(issue: z.core.$ZodRawIssue, beside?: readonly string[]): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return suggestNames(issue, beside).join('\n');
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return FORMATS[issue.format] && `must be ${FORMATS[issue.format]}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return undefined;
  }
}

function tooSmall({ minimum, origin }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const unit = UNITS[origin];
  return unit !== undefined && minimum === 1 ? 'must not be empty' : `must be at least ${minimum}${unit ?? ''}`;
}

/** A name must share two thirds of its letters with the one it is taken for, and at most two may be wrong. */
const LETTERS_PER_MISTAKE = 3;
const MAX_MISTAKES = 2;
/** Of one object: a request of nothing but unknown members must not cost more than reading it. */
const MAX_SUGGESTIONS = 100;

type UnknownMembers = z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>;

/**
 * For each unknown member of a strict object `; did you mean <name>?`, or `''` where no known name is close. `beside`
 * are names that are known besides those of the schema, at the top of the value.
 */
function suggestNames({ keys, inst, path }: UnknownMembers, beside: readonly string[] = []): readonly string[] {
  const own = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  const known = (path ?? []).length === 0 ? [...own, ...beside] : own;
  return keys.map((key, position) => {
    const name = position < MAX_SUGGESTIONS ? closestName(key, known) : undefined;
    return name === undefined ? '' : `; did you mean ${name}?`;
  });
}

/** The known name that was probably meant: other case, or letters added, left out, replaced or swapped. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.min(MAX_MISTAKES, Math.floor(name.length / LETTERS_PER_MISTAKE));
  let closest: { readonly name: string; readonly mistakes: number } | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > most) continue;
    const mistakes = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (mistakes <= most && mistakes < (closest?.mistakes ?? Number.POSITIVE_INFINITY)) {
      closest = { name: candidate, mistakes };
    }
  }
  return closest?.name;
}
