import { createHash, timingSafeEqual } from 'node:crypto';

/** Tells whether a token is the operator's, in constant time: digests of equal length are compared. */
export function createTokenCheck(operatorToken: string): (sent: string) => boolean {
  const wanted = digest(operatorToken);
  return (sent) => timingSafeEqual(digest(sent), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
