import type { FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';

const BEARER = /^bearer +(\S+)$/i;

const MISSING = 'The admin API needs the operator token: Authorization: Bearer <token>';
const WRONG =
  'The token is wrong: the right one is OPERATOR_TOKEN where that is set, else in the file DATA_DIR/operator-token';

export type OperatorAccess = {
  /** Compares in constant time. */
  readonly isOperatorToken: (token: string) => boolean;
};

/** `onRequest` hook of the admin API: runs before the body is read. @throws AppError `auth.invalid` */
export function operatorCheck({ isOperatorToken }: OperatorAccess): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const [value = '', ...more] = request.raw.headersDistinct['authorization'] ?? [];
    const token = more.length === 0 ? BEARER.exec(value.trim())?.[1] : undefined;
    if (token === undefined) throw new AppError('auth.invalid', MISSING);
    if (!isOperatorToken(token)) throw new AppError('auth.invalid', WRONG);
  };
}
