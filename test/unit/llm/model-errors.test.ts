import { inspect } from 'node:util';
import { APICallError, LoadAPIKeyError, LoadSettingError, NoSuchModelError } from 'ai';
import { expect, test } from 'vitest';
import { modelErrorOf } from '../../../src/llm/ai-sdk/model-errors.ts';
import { isTransient, modelFaultOf, modelUnavailable } from '../../../src/llm/model-fault.ts';

const coded = (code: string) => Object.assign(new Error(`secret ${code}`), { code });
const refusal = (statusCode: number, responseBody = '', responseHeaders: Record<string, string> = {}) =>
  new APICallError({
    message: 'secret',
    url: 'http://secret',
    requestBodyValues: { secret: true },
    statusCode,
    responseBody,
    responseHeaders,
  });
const faultOf = (error: unknown) => modelFaultOf(modelErrorOf(error));

test.each([
  ['ECONNREFUSED', 'refused', true],
  ['ETIMEDOUT', 'refused', true],
  ['ECONNRESET', 'reset', true],
  ['EPIPE', 'reset', true],
  ['ENOTFOUND', 'dns', false],
  ['EAI_AGAIN', 'dns', false],
  ['CERT_HAS_EXPIRED', 'tls', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', false],
  ['EOTHER', 'unknown', false],
])('%s, however deep, is %s', (code, reason, isRetried) => {
  const wrapped = new Error('secret', { cause: new Error('secret', { cause: coded(code) }) });
  const fault = faultOf(wrapped);
  expect(fault?.reason).toBe(reason);
  expect(fault !== undefined && isTransient(fault)).toBe(isRetried);
});

test.each([
  '{"error":{"message":"secret","code":"context_length_exceeded"}}',
  '{"error":{"message":"This model\'s maximum context length is 8192 tokens"}}',
  '{"error":{"type":"exceed_context_size_error","message":"the request exceeds the available context size"}}',
  '{"error":{"message":"prompt is too long: 9000 tokens"}}',
  '{"error":{"message":"The input token count (9000) exceeds the maximum number of tokens allowed (8192)."}}',
  '{"message":"Input is too long for requested model."}',
])('400 with %s is a prompt that is too long', (body) => {
  expect(faultOf(refusal(400, body))).toEqual({ reason: 'context-too-long', status: 400 });
  expect(faultOf(refusal(500, body))?.reason).toBe('http-status');
});

test.each([
  new LoadAPIKeyError({ message: 'secret' }),
  new LoadSettingError({ message: 'secret' }),
  new NoSuchModelError({ modelId: 'secret', modelType: 'languageModel' }),
])('%s is one of the settings', (error) => {
  expect(faultOf(new Error('secret', { cause: error }))).toEqual({ reason: 'settings' });
  expect(inspect(modelErrorOf(error), { depth: 10, showHidden: true })).not.toContain('secret');
});

test('another 400 is a refusal', () => {
  expect(faultOf(refusal(400, '{"error":{"message":"temperature is not supported"}}'))?.reason).toBe('http-status');
});

test('the wanted pause is read from seconds and dates', () => {
  expect(faultOf(refusal(429, '', { 'retry-after': '2' }))?.retryAfterMs).toBe(2_000);
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const pause = (after: string) => faultOf(refusal(429, '', { date, 'retry-after': after }))?.retryAfterMs;
  expect(pause('Sun, 06 Nov 1994 08:49:47 GMT')).toBe(10_000);
  expect(pause('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0);
  expect(faultOf(refusal(429, '', { 'retry-after': date }))).not.toHaveProperty('retryAfterMs');
  expect(faultOf(refusal(429, '', { 'retry-after': 'soon' }))).not.toHaveProperty('retryAfterMs');
});

test('an error of the port stays what it is, also within errors of the client', () => {
  const own = modelUnavailable('too-large');
  expect(modelErrorOf(new Error('secret', { cause: own }))).toBe(own);
});

test('an error part that is no error is one of the provider', () => {
  expect(faultOf({ message: 'secret', code: 'server_error' })?.reason).toBe('error-frame');
});

test('nothing of the client’s error is kept', () => {
  for (const error of [refusal(500, 'secret'), coded('ECONNRESET'), { message: 'secret' }, new Error('secret')]) {
    expect(inspect(modelErrorOf(error), { depth: 10, showHidden: true })).not.toContain('secret');
  }
});
