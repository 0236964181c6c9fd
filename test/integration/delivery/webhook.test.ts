import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWebhook } from '../../../src/delivery/http/create-webhook.ts';
import { startWebhookReceiver } from '../../helpers/alert-receivers.ts';
import { codeBlocks } from '../../helpers/documented-code.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const SECRET = 'secret of the webhook';
const MESSAGE = { id: 'message-1', subject: 'Subject', text: 'Text', content: { id: 'message-1', text: 'Grüße' } };
const never = new AbortController().signal;

const webhook = (url: string, changes: { readonly secret?: string; readonly withinMs?: number } = {}) =>
  createWebhook({ url, secret: changes.secret, nowSeconds: () => 1_234, withinMs: changes.withinMs ?? 5_000 });

test('a message is taken by 2xx, and what the receiver said is told', async () => {
  await using receiver = await startWebhookReceiver((response) => response.writeHead(202).end('queued\nfor  ops'));

  const receipt = await webhook(receiver.url)(MESSAGE, never);

  expect(receipt).toEqual({ taken: true, said: '202 Accepted queued for  ops' });
  expect(receiver.messages()).toEqual([MESSAGE.content]);
  expect(receiver.received[0]?.headers).not.toHaveProperty('x-fossick-signature');
});

test('the documented receiver accepts a signed message while it is new, and nothing that was changed', async () => {
  await using folder = await temporaryFolder();
  const [example = { code: '' }] = codeBlocks('docs/operations.md').filter(({ code }) =>
    code.includes('isFromFossick'),
  );
  const file = join(folder.path, 'receiver.mjs');
  await writeFile(file, example.code);
  const { isFromFossick } = await import(file);
  await using receiver = await startWebhookReceiver((response) => response.end());

  await webhook(receiver.url, { secret: SECRET })(MESSAGE, never);

  const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
  const accepts = (changes: object) => isFromFossick({ headers, body, secret: SECRET, nowSeconds: 1_240, ...changes });
  expect(accepts({})).toBe(true);
  expect(accepts({ body: body.replace('message-1', 'message-2') })).toBe(false);
  expect(accepts({ secret: 'another secret, as long' })).toBe(false);
  expect(accepts({ headers: { ...headers, 'x-fossick-timestamp': '1240' } })).toBe(false);
  expect(accepts({ headers: {} })).toBe(false);
  expect(accepts({ nowSeconds: 2_000 })).toBe(false);
});

test('a redirect is not followed, and the address is in no receipt', async () => {
  await using target = await startWebhookReceiver((response) => response.end());
  await using receiver = await startWebhookReceiver((response) =>
    response.writeHead(307, { location: target.url }).end(),
  );

  const receipt = await webhook(receiver.url)(MESSAGE, never);

  expect(receipt).toEqual({ taken: false, said: '307 Temporary Redirect' });
  expect(target.received).toEqual([]);
});

test('user and password of the address are sent as Basic credentials', async () => {
  await using receiver = await startWebhookReceiver((response) => response.end());

  await webhook(receiver.url.replace('http://', 'http://ops:p%40ss@'))(MESSAGE, never);

  const credentials = `Basic ${Buffer.from('ops:p@ss').toString('base64')}`;
  expect(receiver.received[0]?.headers['authorization']).toBe(credentials);
});

test('a receiver that is not there, never answers, or is not waited for any more takes nothing', async () => {
  await using silent = await startWebhookReceiver(() => undefined);
  const gone = await startWebhookReceiver(() => undefined);
  await gone[Symbol.asyncDispose]();

  expect(await webhook(gone.url)(MESSAGE, never)).toEqual({
    taken: false,
    said: 'the address did not answer (ECONNREFUSED)',
  });
  const late = { taken: false, said: 'the address did not answer (no answer in time)' };
  expect(await webhook(silent.url, { withinMs: 50 })(MESSAGE, never)).toEqual(late);
  expect(await webhook(silent.url)(MESSAGE, AbortSignal.abort())).toEqual(late);
});

test('of a long answer the beginning is read', async () => {
  await using receiver = await startWebhookReceiver((response) => response.writeHead(500).end('x'.repeat(10_000_000)));

  const { taken, said } = await webhook(receiver.url)(MESSAGE, never);

  expect(taken).toBe(false);
  expect(said).toHaveLength(300);
});
