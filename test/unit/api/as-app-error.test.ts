import { expect, test } from 'vitest';
import { asAppError } from '../../../src/api/error-body.ts';
import { AppError, policyOf } from '../../../src/core/errors.ts';
import { eventually } from '../../helpers/eventually.ts';

test('a search past its deadline is answered with 429, as it may be tried again', async () => {
  const signal = AbortSignal.timeout(1);
  await eventually(() => signal.aborted);

  const error = asAppError(signal.reason);

  expect(error.code).toBe('search.timeout');
  expect(policyOf(error.code)).toEqual({ status: 429, retryable: true, text: 'The search took too long' });
});

test.each([
  [Object.assign(new Error('x'), { statusCode: 415 }), 'request.unsupported-type'],
  [Object.assign(new Error('x'), { statusCode: 400 }), 'request.invalid'],
  [new AppError('index.corrupt', 'x'), 'index.corrupt'],
  [new Error('x'), 'internal'],
])('%s becomes %s', (error, code) => {
  expect(asAppError(error).code).toBe(code);
});
