import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SystemStore } from '../storage/system-store.ts';

/** Seals secrets that an operator gives, so that the store and its backups hold no readable one. */
export type SecretBox = {
  /** Another text at each call. */
  readonly seal: (text: string) => string;
  /** Undefined for what was not sealed with this key, or was changed since. */
  readonly open: (sealed: string) => string | undefined;
};

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
/** NIST SP 800-38D: 96 random bits; 2^32 secrets of one key would be too many. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CRAWLER_SECRETS = 'fossick crawler secrets';

/** AES-256-GCM under a key derived from `key` (`SECRETS_KEY`). */
export function createSecretBox(key: string, purpose: string = CRAWLER_SECRETS): SecretBox {
  const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
  return {
    seal: (text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, derived, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv(CIPHER, derived, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** The key that signs query ids: the configured one, else one made and stored at first start. Contract: 1.8. */
export async function queryIdSecret(
  deps: { readonly store: Pick<SystemStore, 'rememberOnce'> },
  configured: string | undefined,
): Promise<string> {
  return configured ?? deps.store.rememberOnce('query_id_secret', () => randomBytes(32).toString('hex'));
}

/** Tells whether a token is the operator's, in constant time: digests of equal length are compared. */
export function createTokenCheck(operatorToken: string): (sent: string) => boolean {
  const wanted = digest(operatorToken);
  return (sent) => timingSafeEqual(digest(sent), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
