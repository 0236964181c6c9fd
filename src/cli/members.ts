import { wrongUsage } from './command.ts';

type Members = { [name: string]: unknown };

/**
 * Words `name=value` as members of a body: a value is JSON when it is valid JSON, else text; nothing after `=` is
 * null, which brings back a default; dots lead into objects (`limits.depth=3`).
 * @throws AppError `request.invalid`
 */
export function membersOf(words: readonly string[]): Readonly<Record<string, unknown>> {
  const members: Members = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw wrongUsage(`${JSON.stringify(word)} must have the form member=value`);
    place(members, word.slice(0, at).split('.'), readValue(word.slice(at + 1)));
  }
  return members;
}

function place(members: Members, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    define(members, first, value);
    return;
  }
  const present = Object.hasOwn(members, first) ? members[first] : undefined;
  const inner: Members = typeof present === 'object' && present !== null ? (present as Members) : {};
  place(inner, rest, value);
  define(members, first, inner);
}

/** Also for names such as `__proto__`, which an assignment would not make a member. */
function define(members: Members, name: string, value: unknown): void {
  Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
}

function readValue(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
