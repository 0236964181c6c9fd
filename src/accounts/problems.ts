import { z } from 'zod';
import { invalidRequest, type Problem } from '../core/errors.ts';
import { ruleWords } from '../core/rule-words.ts';

export type Checked<T> =
  | { readonly isRight: true; readonly value: T }
  | { readonly isRight: false; readonly problems: readonly Problem[] };

export type CheckedPath = {
  /** Where the value stands; nothing: at the top. */
  readonly path?: readonly PropertyKey[];
  /** Members that stand beside those of the schema and were read before: they are suggested, too. */
  readonly beside?: readonly string[];
};

/** Parses by the schema; every problem stands at the path of its member below `path`, unknown members at their own. */
export function check<T>(schema: z.ZodType<T>, value: unknown, { path = [], beside }: CheckedPath = {}): Checked<T> {
  const parsed = schema.safeParse(value, { error: (issue) => ruleWords(issue, beside) });
  if (parsed.success) return { isRight: true, value: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => {
    const problemPath = [...path, ...issue.path];
    if (issue.code !== 'unrecognized_keys') return [problemAt(problemPath, issue.message)];
    const suggestions = issue.message.split('\n');
    return issue.keys.map((key, index) =>
      problemAt([...problemPath, key], `is not known here${suggestions[index] ?? ''}`),
    );
  });
  return { isRight: false, problems };
}

/** @throws AppError `request.invalid` with all problems */
export function parseStrictly<T>(schema: z.ZodType<T>, value: unknown): T {
  const checked = check(schema, value);
  if (checked.isRight) return checked.value;
  throw invalidRequest(checked.problems);
}

const MEMBERS = z.record(z.string(), z.unknown());

/** @throws AppError `request.invalid` for anything but an object */
export function parseMembers(value: unknown): Readonly<Record<string, unknown>> {
  return parseStrictly(MEMBERS, value);
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
