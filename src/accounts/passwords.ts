import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { createSemaphore } from '../core/concurrency.ts';
import { AppError } from '../core/errors.ts';

/** `costLog2` = binary logarithm of N. RFC 7914. */
export type ScryptCost = { readonly costLog2: number; readonly blockSize: number; readonly parallelism: number };

/** Hashes of passwords. Each takes half a second and 32 MiB, in the thread pool of Node. */
export type Passwords = {
  /** Another text at each call. @throws AppError `rate.exceeded` when too many wait */
  readonly hash: (password: string) => Promise<string>;
  /** `stored` undefined: wrong, after the same work. @throws AppError `rate.exceeded` when too many wait */
  readonly verify: (password: string, stored: string | undefined) => Promise<PasswordVerdict>;
};
/** `outdated`: right, and to be hashed anew with what is the cost now. */
export type PasswordVerdict = 'right' | 'outdated' | 'wrong';

/** The second smallest of memory among the equals of the OWASP password storage cheat sheet: 32 MiB. */
const COST: ScryptCost = { costLog2: 15, blockSize: 8, parallelism: 3 };
/** A flood takes one processor, and one of the four threads of the pool that files and names need as well. */
const AT_ONCE = 1;
/** Half a second each: whoever comes in a flood waits some fifteen seconds at most. */
const MAX_WAITING = 32;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Form of the PHC string format. */
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/;

export function createPasswords(cost: ScryptCost = COST): Passwords {
  const semaphore = createSemaphore(AT_ONCE, { maxWaiting: MAX_WAITING, refusal: tooMany });
  const derive = async (password: string, salt: Buffer, by: ScryptCost): Promise<Buffer> => {
    using _ = await semaphore.acquire(new AbortController().signal);
    return deriveKey(password, salt, by);
  };
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES);
      const { costLog2, blockSize, parallelism } = cost;
      const key = await derive(password, salt, cost);
      const parameters = `ln=${costLog2},r=${blockSize},p=${parallelism}`;
      return `$scrypt$${parameters}$${salt.toString('base64url')}$${key.toString('base64url')}`;
    },
    verify: async (password, stored) => {
      const known = stored === undefined ? undefined : readHash(stored);
      const key = await derive(password, known?.salt ?? Buffer.alloc(SALT_BYTES), known?.cost ?? cost);
      const isRight = timingSafeEqual(key, known?.key ?? Buffer.alloc(HASH_BYTES));
      if (known === undefined || !isRight) return 'wrong';
      return isSame(known.cost, cost) ? 'right' : 'outdated';
    },
  };
}

function readHash(stored: string) {
  const [, costLog2 = '', blockSize = '', parallelism = '', salt = '', key = ''] = FORM.exec(stored) ?? [];
  if (key === '') return undefined;
  const cost = { costLog2: Number(costLog2), blockSize: Number(blockSize), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}

function isSame(one: ScryptCost, other: ScryptCost): boolean {
  return one.costLog2 === other.costLog2 && one.blockSize === other.blockSize && one.parallelism === other.parallelism;
}

function deriveKey(password: string, salt: Buffer, { costLog2, blockSize, parallelism }: ScryptCost): Promise<Buffer> {
  const N = 2 ** costLog2;
  const options: ScryptOptions = { N, r: blockSize, p: parallelism, maxmem: 256 * N * blockSize };
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // Keyboards write one letter in two ways; NIST SP 800-63B, 3.1.1.2.
  scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  return promise;
}

function tooMany(): AppError {
  return new AppError('rate.exceeded', 'Too many people sign in at once: try again in a moment', {
    retryAfterSeconds: 5,
    atOnce: MAX_WAITING,
  });
}
