import { setTimeout as delay } from 'node:timers/promises';
import { watchFailedSignIns } from '../accounts/failed-sign-ins.ts';
import { createKeyUse } from '../accounts/key-use.ts';
import { createIdentityProvider } from '../accounts/oidc/identity-provider.ts';
import { createPasswords } from '../accounts/passwords.ts';
import { createTokenCheck } from '../accounts/secret-box.ts';
import { limitFailedCredentials } from '../api/auth.ts';
import type { Config } from '../config/config.ts';
import { keepSecretFile, operatorTokenPath } from '../config/secret-file.ts';
import { systemClock } from '../core/clock.ts';
import type { Log } from '../observability/logger.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { openSecretBox } from './secrets.ts';

/** How callers prove who they are: the operator token, keys, passwords, and the provider of the operator. */
export async function openSigningIn(
  config: Config,
  { store, log }: { readonly store: SystemStore; readonly log: Log },
) {
  const token = config.OPERATOR_TOKEN ?? (await keepSecretFile(operatorTokenPath(config.DATA_DIR)));
  return {
    isOperatorToken: createTokenCheck(token),
    noteKeyUse: createKeyUse({ store, clock: systemClock, log }),
    passwords: createPasswords(),
    failedSignIns: watchFailedSignIns({ store, clock: systemClock }),
    failedCredentials: limitFailedCredentials({ clock: systemClock, pause: (ms) => delay(ms) }),
    identityProvider: identityProviderOf(config),
    pendingSignIns: await openSecretBox(config, 'fossick pending sign-ins'),
  };
}

function identityProviderOf(config: Config) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret } = config;
  return issuer === undefined
    ? undefined
    : createIdentityProvider({ issuer, clientId, clientSecret, name: config.OIDC_NAME });
}
