import type { z } from 'zod';
import type { Problem } from '../core/errors.ts';

/** Faults of a parse as problems: an unknown member stands at its own path, and every message names its member. */
export function problemsOf(error: z.ZodError, prefix: readonly PropertyKey[] = []): readonly Problem[] {
  return error.issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [problemAt(path, issue.message)];
    return issue.keys.map((key) => problemAt([...path, key], 'is not known here'));
  });
}

/** A problem whose message is `path: message`; without a path the message stands alone. */
export function problemAt(path: readonly PropertyKey[], message: string): Problem {
  const text = pathText(path);
  return { path: text, message: text === '' ? message : `${text}: ${message}` };
}

/** `customers[0].engines[1].perPage` */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
