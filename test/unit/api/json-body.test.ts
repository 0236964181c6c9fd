import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTooDeep, parseJson, readBody, readJsonBody } from '../../../src/api/json-body.ts';
import type { BodyMode } from '../../../src/api/route-table.ts';

const LIMITS = { maxBodyBytes: 1_000, maxDocumentsBytes: 5_000 };
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

/** A request as the server sees it, its body in chunks of seven bytes. */
function read(
  body: string | Uint8Array,
  { type = JSON_TYPE as string | null, encoding = undefined as string | undefined, mode = 'json' as BodyMode } = {},
): Promise<unknown> {
  const message = new IncomingMessage(new Socket());
  if (type !== null) message.headers['content-type'] = type;
  if (encoding !== undefined) message.headers['content-encoding'] = encoding;
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 7) message.push(bytes.subarray(at, at + 7));
  message.complete = true;
  message.push(null);
  return readJsonBody(message, mode, LIMITS);
}

test.each([
  ['JSON', '{"a":[1]}', JSON_TYPE, { a: [1] }],
  ['JSON with parameters', '{}', 'Application/JSON; charset=iso-8859-1; q', {}],
  ['an object without a type', ' {"a":1}', null, { a: 1 }],
  ['an array as text/plain', '\n[1]', 'text/plain;charset=UTF-8', [1]],
  ['a byte order mark', '\ufeff{"a":1}', JSON_TYPE, { a: 1 }],
  ['a form with Params', `params=${encodeURIComponent('{"a":"ü+"}')}`, FORM, { a: 'ü+' }],
  ['duplicate keys', '{"a":1,"a":2}', JSON_TYPE, { a: 2 }],
  ['a scalar', '5', JSON_TYPE, 5],
])('%s is read', async (_case, body, type, value) => {
  expect(await read(body, { type })).toEqual(value);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZIP', gzipSync],
])('%s is decoded', async (encoding, encode) => {
  expect(await read(encode('{"a":"b"}'), { encoding })).toEqual({ a: 'b' });
});

test.each([
  ['malformed JSON', '{', {}],
  ['a trailing comma', '{"a":1,}', {}],
  ['nothing', '', {}],
  ['blanks', ' \n ', {}],
  ['a no-break space', '\u00a0{}', {}],
  ['a scalar without a type', '"x"', { type: null }],
  ['a form without Params', 'a=1', { type: FORM }],
  ['a form with Params and more', 'Params=%7B%7D&a=1', { type: FORM }],
  ['malformed Params', 'Params=%7B', { type: FORM }],
  ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}],
  ['bytes that are no gzip', '{"a":1}', { encoding: 'gzip' }],
  ['a cut gzip', gzipSync('{"a":1}').subarray(0, 12), { encoding: 'gzip' }],
  ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, {}],
  ['malformed tracking', '{"a"', { mode: 'tracking' as const }],
])('%s is refused as invalid', async (_case, body, options) => {
  await expect(read(body, options)).rejects.toMatchObject({ code: 'request.invalid' });
});

test('JSON without its type, as curl sends it, is refused with the header that it needs', async () => {
  await expect(read('{"query":"*"}', { type: FORM })).rejects.toThrow(
    'JSON needs the header Content-Type: application/json',
  );
});

test.each([
  ['multipart/form-data; boundary=x', undefined],
  ['text/json', undefined],
  ['application/xml', undefined],
  [JSON_TYPE, 'zstd'],
  [JSON_TYPE, 'gzip, br'],
])('content type %s with encoding %s is refused', async (type, encoding) => {
  await expect(read('{}', { type, encoding })).rejects.toMatchObject({ code: 'request.unsupported-type' });
});

test.each([
  ['a body', `"${'x'.repeat(999)}"`, {}],
  ['the decoded bytes of a small body', gzipSync(`"${'x'.repeat(100_000)}"`), { encoding: 'gzip' }],
  ['documents', `"${'x'.repeat(4_999)}"`, { mode: 'large-json' as const }],
])('%s over the limit is refused', async (_case, body, options) => {
  await expect(read(body, options)).rejects.toMatchObject({ code: 'request.too-large' });
});

test('documents may be larger than other bodies', async () => {
  const value = 'x'.repeat(4_998);

  expect(await read(`"${value}"`, { mode: 'large-json' })).toBe(value);
});

test.each([
  ['', undefined],
  ['  ', undefined],
  ['undefined', undefined],
  ['null', undefined],
])('the tracking body %j is none', async (body) => {
  expect(await read(body, { mode: 'tracking' })).toBeUndefined();
});

test('tracking reads form members, repeated ones as a list', async () => {
  const value = await read('sw=a+b&qid=1&sf=x&sf=y', { type: FORM, mode: 'tracking' });

  expect(value).toEqual({ sw: 'a b', qid: '1', sf: ['x', 'y'] });
});

test('an optional body may be absent, and an ignored one is not read', async () => {
  expect(await read('', { mode: 'optional-json' })).toBeUndefined();
  expect(await read('{', { mode: 'none', type: 'nonsense' })).toBeUndefined();
});

test.each([
  [String.raw`"\ud800"`, '\ufffd'],
  [String.raw`"\udc00\ud800"`, '\ufffd\ufffd'],
  [String.raw`"\ud83d\ude00"`, '😀'],
  [String.raw`"\ud83d\ud83d\ude00"`, '\ufffd😀'],
  [String.raw`"\\ud800"`, String.raw`\ud800`],
  [String.raw`"\\\ud800\n"`, '\\\ufffd\n'],
])('the halves of pairs in %s become U+FFFD', (json, value) => {
  expect(parseJson(json)).toBe(value);
});

test('JSON comes back well-formed and otherwise unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      expect(parseJson(JSON.stringify({ [value]: value }))).toEqual({ [value.toWellFormed()]: value.toWellFormed() });
    }),
  );
});

test.each([
  ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, false],
  ['65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, true],
  ['brackets in a string', JSON.stringify('['.repeat(100)), false],
  ['a string that ends in a backslash', `["\\\\",${'['.repeat(70)}`, true],
  ['an escaped quote before brackets', JSON.stringify(`"${'['.repeat(100)}`), false],
  ['siblings', `[${'[],'.repeat(100)}[]]`, false],
  ['a string without an end', `"${'['.repeat(100)}`, false],
])('%s are too deep: %s', (_case, json, deep) => {
  expect(isTooDeep(Buffer.from(json))).toBe(deep);
});

test('a body that hardly moves loses its connection, a complete one does not', async () => {
  const slow = new IncomingMessage(new Socket());
  const done = new IncomingMessage(new Socket());
  done.push('{}');
  done.complete = true;
  done.push(null);
  slow.push('{');

  await expect(readBody(slow, 1_000, 5)).rejects.toMatchObject({ message: 'The body ended early' });
  expect(slow.destroyed).toBe(true);
  expect((await readBody(done, 1_000, 5)).toString()).toBe('{}');
});
