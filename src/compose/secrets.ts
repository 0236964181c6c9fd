import { createSecretBox, type SecretBox } from '../accounts/secret-box.ts';
import { type Config, metaOf, VARIABLE_NAMES } from '../config/config.ts';
import { environmentVariable } from '../config/environment.ts';
import { keepSecretFile, readSecretFile, secretsKeyPath } from '../config/secret-file.ts';
import { type StoredSecret, sealedPart } from '../core/crawler-secrets.ts';

/** Seals and opens secrets, those of crawlers unless another purpose is named, under `SECRETS_KEY`, or the key in the data folder, made when missing. */
export async function openSecretBox(
  config: Pick<Config, 'DATA_DIR'> & Partial<Pick<Config, 'SECRETS_KEY'>>,
  purpose?: string,
): Promise<SecretBox> {
  return createSecretBox(config.SECRETS_KEY ?? (await keepSecretFile(secretsKeyPath(config.DATA_DIR))), purpose);
}

/** Under what name the stores keep a text that the key of their installation has sealed. */
export const KEY_PROBE = 'secrets_probe';
const PROBED = { text: 'fossick', purpose: 'fossick key probe' } as const;

type KeyPlace = Parameters<typeof openSecretBox>[0];

export async function makeKeyProbe(place: KeyPlace): Promise<string> {
  return (await openSecretBox(place, PROBED.purpose)).seal(PROBED.text);
}

/** Why the key of this machine is not the one that has sealed a probe, and what to do; undefined: it is. Makes none. */
export async function otherKey(
  { DATA_DIR: dataDir, SECRETS_KEY: set }: KeyPlace,
  probe: string,
): Promise<{ readonly sentence: string; readonly mend: string } | undefined> {
  const path = secretsKeyPath(dataDir);
  const key = set ?? (await readSecretFile(path));
  if (key !== undefined && createSecretBox(key, PROBED.purpose).open(probe) === PROBED.text) return undefined;
  const [has, mend] =
    set === undefined
      ? [`${path} is not the key`, `copy the file secrets-key of the DATA_DIR of its first machine to ${path}`]
      : ['SECRETS_KEY is not the key', 'set it as on the other machines'];
  return { sentence: `${has} of the installation in DATABASE_URL`, mend };
}

/** Undefined when it was sealed under another key, or its variable is unset or a secret of this installation. */
export type OpenSecret = (secret: StoredSecret) => string | undefined;

export function secretOpener({ open }: SecretBox): OpenSecret {
  return (secret) => {
    if (typeof secret !== 'string') return OWN_VARIABLES.has(secret.fromEnv) ? undefined : variable(secret.fromEnv);
    const part = sealedPart(secret);
    return part === undefined ? secret : open(part);
  };
}

const OWN_VARIABLES: ReadonlySet<string> = new Set(VARIABLE_NAMES.filter((name) => metaOf(name).secret === true));

function variable(name: string): string | undefined {
  return environmentVariable(name)?.trim();
}
