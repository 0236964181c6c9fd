import type { FastifyRequest } from 'fastify';
import { AppError } from '../core/errors.ts';
import { addressKey, type ClientAddress } from './client-address.ts';
import type { FailedCredentials } from './failed-credentials.ts';

const BEARER = /^bearer +(\S+)$/i;

const MISSING = 'This needs the operator token: Authorization: Bearer <token>';
const WRONG =
  'The token is wrong: the right one is OPERATOR_TOKEN where that is set, else in the file DATA_DIR/operator-token';

export type OperatorAccess = {
  /** Compares in constant time. */
  readonly isOperatorToken: (token: string) => boolean;
  readonly clientAddress: ClientAddress;
  readonly failedCredentials: FailedCredentials;
};

/** `onRequest` hook of what is the operator's alone: runs before the body is read. @throws AppError `auth.invalid` */
export function operatorCheck(deps: OperatorAccess): (request: FastifyRequest) => Promise<void> {
  return async ({ raw }) => {
    const [value = '', ...more] = raw.headersDistinct['authorization'] ?? [];
    const token = more.length === 0 ? BEARER.exec(value.trim())?.[1] : undefined;
    if (token === undefined) throw new AppError('auth.invalid', MISSING);
    const isRight = await deps.failedCredentials.check(addressKey(deps.clientAddress(raw)), async () =>
      deps.isOperatorToken(token) ? true : undefined,
    );
    if (isRight === undefined) throw new AppError('auth.invalid', WRONG);
  };
}
