import { z } from 'zod';
import { SHOWN_SECRET, sealedPart, sealedText } from './crawler-secrets.ts';
import { invalidRequest, type Problem } from './errors.ts';

type Members = Readonly<Record<string, unknown>>;

const MAX_SECRET_CHARS = 8_192;

/** A secret that an operator gives, or the variable that holds it; stored sealed, shown as `set`. */
export function secretText(accepts: (text: string) => boolean, wanted: string) {
  const text = z
    .string()
    .min(1)
    .max(MAX_SECRET_CHARS)
    .refine((value) => sealedPart(value) !== undefined || accepts(value), { message: wanted });
  const variable = z.strictObject({ fromEnv: z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable') });
  return z.union([text, variable], {
    error: (issue) => (typeof issue.input === 'string' ? wanted : 'must be text or { "fromEnv": "NAME" }'),
  });
}

/** Seals text for the store, and opens what it sealed. */
export type Sealer = {
  readonly seal: (text: string) => string;
  readonly open: (sealed: string) => string | undefined;
};

/** The settings with every secret that is there replaced by what `change` makes of it. */
type MapSecrets = <T extends Members>(settings: T, change: (secret: unknown, path: readonly string[]) => unknown) => T;

/**
 * What was sent, with the secret of `present` for each that is only `set`.
 * @throws AppError `request.invalid` for one that is not known yet, named below `under`
 */
export function keepShownSecrets(
  mapSecrets: MapSecrets,
  sent: Members,
  { present, under = '' }: { readonly present: Members; readonly under?: string },
): Members {
  const problems: Problem[] = [];
  const kept = mapSecrets(sent, (secret, path) => {
    if (secret !== SHOWN_SECRET) return secret;
    const before = valueAt(present, path);
    const name = [under, ...path].filter((step) => step !== '').join('.');
    if (before === undefined)
      problems.push({ path: name, message: `${name}: is not known yet: give the secret itself` });
    return before;
  });
  if (problems.length > 0) throw invalidRequest(problems);
  return kept;
}

/** The secret sealed; the same as in `present` keeps its sealed text, so that nothing changes. */
export function sealSecret(
  { seal, open }: Sealer,
  secret: unknown,
  { path, present }: { readonly path: readonly string[]; readonly present: Members },
): unknown {
  if (typeof secret !== 'string' || sealedPart(secret) !== undefined) return secret;
  const before = valueAt(present, path);
  const part = typeof before === 'string' ? sealedPart(before) : undefined;
  return part !== undefined && open(part) === secret ? before : sealedText(seal(secret));
}

function valueAt(members: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Members)[name] : undefined),
    members,
  );
}
