import { z } from 'zod';
import { editDistance } from './edit-distance.ts';

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
export function suggestNames({ keys, inst, path }: UnknownMembers, beside: readonly string[] = []): readonly string[] {
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
