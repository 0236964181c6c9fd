import type { Configuration } from 'openid-client';

/** What the operator has set. */
export type OidcSettings = {
  /** Where its document of discovery is found. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** As the button of the sign-in page has it. */
  readonly name: string;
};

/** What the browser keeps between the two steps, sealed. */
export type PendingSignIn = { readonly state: string; readonly nonce: string; readonly codeVerifier: string };
export type Identity = { readonly email: string | undefined; readonly isVerified: boolean };

/**
 * Port: who somebody is, as the provider of the operator says. Asks the issuer, and the hosts that its own document
 * names, nobody else; follows no redirect.
 */
export type IdentityProvider = {
  readonly name: string;
  /** Where the browser goes, and what has to come back. @throws Error when the provider does not answer */
  readonly begin: (redirectUri: string) => Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /** `url` = the address with which the browser came back. @throws Error for anything but a right answer */
  readonly finish: (url: URL, pending: PendingSignIn) => Promise<Identity>;
};

const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email';

export function createIdentityProvider(settings: OidcSettings): IdentityProvider {
  const configuration = remembered(() => discover(settings));
  return {
    name: settings.name,
    begin: async (redirectUri) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await import('openid-client');
      const pending = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      });
      return { url: url.href, pending };
    },
    finish: async (url, { state, nonce, codeVerifier }) => {
      const { authorizationCodeGrant } = await import('openid-client');
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
      const tokens = await authorizationCodeGrant(await configuration(), url, { ...checks, idTokenExpected: true });
      const claims = tokens.claims();
      const email = claims?.['email'];
      return {
        email: typeof email === 'string' ? email : undefined,
        isVerified: claims?.['email_verified'] === true,
      };
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, None } = await import('openid-client');
  const server = new URL(issuer);
  return discovery(server, clientId, clientSecret, clientSecret === undefined ? None() : undefined, {
    timeout: TIMEOUT_SECONDS,
    // Of this machine alone: elsewhere a token would travel in clear text.
    execute: isOfThisMachine(server) ? [allowInsecureRequests] : [],
  });
}

function isOfThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

/** Asked once; whoever asks after a failure tries again. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
