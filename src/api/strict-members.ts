import { closestName } from '../core/closest-name.ts';
import type { Problem } from '../core/errors.ts';

/** Of one object: a request of nothing but unknown members must not cost more than reading it. */
const MAX_SUGGESTIONS = 100;

type Path = readonly (string | number)[];
/** Names that schemas know, in lower case with the spelling to suggest, by the object that they have read. */
type KnownNames = Map<object, Map<string, string>>;

const strictBodies = new WeakSet<object>();
/** Of the body that is read now: reading is synchronous. */
let knownNames: KnownNames | undefined;

/** Unknown members of this body are faults from now on (`?strict=true`). Contract: 1.4. */
export function makeStrict(body: unknown): void {
  if (typeof body === 'object' && body !== null) strictBodies.add(body);
}

/** Schemas tell which members of an object they read: `known` maps lower-case names to their spelling. */
export function noteMembers(sent: object, known: Iterable<readonly [string, string]>): void {
  if (knownNames === undefined) return;
  const names = knownNames.get(sent) ?? new Map<string, string>();
  for (const [name, spelling] of known) names.set(name, spelling);
  knownNames.set(sent, names);
}

/** Reads a value; of a strict body the members that no schema has read are faults. */
export function readMembers<T>(value: unknown, read: () => T): { readonly result: T; readonly unknown: Problem[] } {
  if (typeof value !== 'object' || value === null || !strictBodies.has(value)) return { result: read(), unknown: [] };
  const known: KnownNames = new Map();
  knownNames = known;
  try {
    return { result: read(), unknown: unknownIn(value, [], known) };
  } finally {
    knownNames = undefined;
  }
}

/** In order of the body. Bodies are at most 64 levels deep. */
function unknownIn(value: unknown, path: Path, known: KnownNames): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownIn(item, [...path, index], known));
  const names = known.get(value);
  return Object.entries(value).flatMap(([name, inner], index) => {
    const here = [...path, name];
    if (names === undefined || names.has(name.toLowerCase())) return unknownIn(inner, here, known);
    const meant = index < MAX_SUGGESTIONS ? closestName(name, [...names.values()]) : undefined;
    return [unknownMember(here, meant)];
  });
}

function unknownMember(path: Path, meant: string | undefined): Problem {
  const shown = pathText(path);
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { path: shown, message: `"${shortened(shown)}" is not known${suggestion}` };
}

/** `sources[2].id`, `filters.range`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** Text of the caller as a message may repeat it. Contract: 1.7. */
export function shortened(path: string): string {
  return path.length <= 100 ? path : `${path.slice(0, 99).toWellFormed()}…`;
}
