import { createSecretBox, type SecretBox } from '../accounts/secret-box.ts';
import { type Config, metaOf, VARIABLE_NAMES } from '../config/config.ts';
import { environmentVariable } from '../config/environment.ts';
import { keepSecretFile, secretsKeyPath } from '../config/secret-file.ts';
import { type StoredSecret, sealedPart } from '../core/crawler-secrets.ts';

/** Seals and opens secrets, those of crawlers unless another purpose is named, under `SECRETS_KEY`, or the key in the data folder, made when missing. */
export async function openSecretBox(
  config: Pick<Config, 'DATA_DIR'> & Partial<Pick<Config, 'SECRETS_KEY'>>,
  purpose?: string,
): Promise<SecretBox> {
  return createSecretBox(config.SECRETS_KEY ?? (await keepSecretFile(secretsKeyPath(config.DATA_DIR))), purpose);
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
