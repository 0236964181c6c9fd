import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const CLIENT = { clientId: 'fossick', clientSecret: 'secret of the client' } as const;

/** What the provider says of who signs in, and how it breaks its rules. */
export type Told = {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly nonce?: string;
  readonly iss?: string;
  readonly aud?: string;
};

type Asked = { readonly nonce: string; readonly challenge: string; readonly redirectUri: string };

/** An OpenID Connect provider on loopback that asks nobody: whoever comes is who `tell` said last. */
export async function startIdentityServer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pending = new Map<string, Asked>();
  let told: Told = {};
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', issuer);
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/.well-known/openid-configuration') return void send(200, document());
    if (url.pathname === '/keys') {
      return void send(200, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      });
    }
    if (url.pathname === '/authorize') {
      const {
        nonce = '',
        code_challenge: challenge = '',
        redirect_uri: redirectUri = '',
        state = '',
      } = Object.fromEntries(url.searchParams);
      const code = randomUUID();
      pending.set(code, { nonce, challenge, redirectUri });
      const back = `${redirectUri}?code=${code}&state=${state}&iss=${encodeURIComponent(issuer)}`;
      return void response.writeHead(302, { location: back }).end();
    }
    const sent = new URLSearchParams(await text(request));
    const asked = pending.get(sent.get('code') ?? '');
    pending.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = challenge === asked?.challenge && sent.get('redirect_uri') === asked.redirectUri;
    if (!isRight || !isClient(request, sent)) return void send(400, { error: 'invalid_grant' });
    return void send(200, { access_token: 'a', token_type: 'Bearer', id_token: idToken(asked.nonce) });
  }

  function document() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  function idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: CLIENT.clientId, sub: 'one', iat: now, exp: now + 60, nonce, ...told };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const signed = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims)}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
  }

  return {
    issuer,
    tell: (next: Told) => {
      told = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isClient({ headers }: IncomingMessage, sent: URLSearchParams): boolean {
  const { clientId, clientSecret } = CLIENT;
  if (sent.get('client_id') === clientId && sent.get('client_secret') === clientSecret) return true;
  const basic = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`;
  return headers.authorization === `Basic ${Buffer.from(basic).toString('base64')}`;
}
