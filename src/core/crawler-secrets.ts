type Members = Readonly<Record<string, unknown>>;

/** A secret in the settings of a crawler: sealed text, or the variable of the environment that holds it. */
export type StoredSecret = string | { readonly fromEnv: string };

/** What is shown in place of a secret; sent back, it keeps the secret that is stored. */
export const SHOWN_SECRET = 'set';

const SEALED_PREFIX = 'sealed:v1:';

/** Where secrets stand in the settings of a crawler; `*` is every member. */
const PLACES = [['headers', '*'], ['cookies', '*'], ['basicAuth', 'password'], ['login', 'fields', '*'], ['proxy']];

export function sealedText(sealed: string): string {
  return SEALED_PREFIX + sealed;
}

/** The part behind the prefix; undefined for text that is not sealed. */
export function sealedPart(text: string): string | undefined {
  return text.startsWith(SEALED_PREFIX) ? text.slice(SEALED_PREFIX.length) : undefined;
}

/** The settings with every secret that is there replaced by what `change` makes of it. */
export function mapSecrets<T extends Members>(
  settings: T,
  change: (secret: unknown, path: readonly string[]) => unknown,
): T {
  return PLACES.reduce<unknown>(
    (changed, secretPath) => mapAt(changed, secretPath, (secret, path) => change(secret, path)),
    {
      ...settings,
    },
  ) as T;
}

/** The settings as they may be shown: variables by their name, everything else as `set`. */
export function hideSecrets<T extends Members>(settings: T): T {
  return mapSecrets(settings, (secret, [place]) => {
    if (typeof secret !== 'string') return secret;
    // The address of a proxy is sealed when it holds a password, else it is none.
    return place === 'proxy' && sealedPart(secret) === undefined ? secret : SHOWN_SECRET;
  });
}

function mapAt(
  value: unknown,
  [name, ...deeper]: readonly string[],
  change: (secret: unknown, path: readonly string[]) => unknown,
): unknown {
  if (name === undefined) return change(value, []);
  if (!isMembers(value)) return value;
  const names = Object.keys(value).filter((key) => (name === '*' || key === name) && value[key] !== undefined);
  const changed = names.map((key) => [
    key,
    mapAt(value[key], deeper, (secret, path) => change(secret, [key, ...path])),
  ]);
  return { ...value, ...Object.fromEntries(changed) };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
