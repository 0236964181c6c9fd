import type { z } from 'zod';
import { suggestNames } from './closest-name.ts';

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
