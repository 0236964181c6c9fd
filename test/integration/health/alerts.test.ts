import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createWebhook, type WebhookOptions } from '../../../src/fetch/http/create-webhook.ts';
import {
  type AlertDeps,
  type AlertMessage,
  createAlerts,
  type FindingChanges,
  type OpenFinding,
} from '../../../src/health/alerts.ts';
import { finding } from '../../../src/health/health.ts';
import { eventually } from '../../helpers/eventually.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const SECRET = 'secret of the webhook';
const NONE: FindingChanges = { begun: [], ended: [], open: [] };
const diskFull = found('data');

function found(subject: string): OpenFinding {
  const told = { subject, sentence: `The disk of ${subject} is full`, command: 'du -x' };
  return { ...finding('disk-full', told), since: 1_000 };
}

type Received = { readonly headers: IncomingMessage['headers']; readonly body: string; readonly message: AlertMessage };

/** A receiver that answers as `respond` does, with what it was sent. */
async function startReceiver(respond: (response: ServerResponse, count: number) => void) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    received.push({ headers: request.headers, body, message: JSON.parse(body) });
    respond(response, received.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook?to=ops`,
    received,
    messages: () => received.map(({ message }) => message),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function alertsTo(url: string, changes: Partial<AlertDeps & WebhookOptions> = {}) {
  const { timeoutMs = 1_000, ...deps } = changes;
  return createAlerts({
    post: createWebhook({ url, secret: SECRET, nowSeconds: () => 1_234, timeoutMs }),
    isSpeaker: () => true,
    clock: { now: () => 5_000 },
    log: silentLog,
    newId: () => 'message-1',
    installation: 'http://search.example',
    retryAfterMs: [10, 10],
    gatherMs: 20,
    ...deps,
  });
}

test('begins and ends that come together are one signed message', async () => {
  await using receiver = await startReceiver((response) => response.end());
  await using alerts = alertsTo(receiver.url);

  alerts.tell({ begun: [diskFull], ended: [], open: [diskFull] });
  alerts.tell({ begun: [], ended: [found('other')], open: [diskFull] });
  const { headers, body, message } = await eventually(() => receiver.received[0]);

  expect(message).toEqual({
    id: 'message-1',
    at: '1970-01-01T00:00:05.000Z',
    installation: 'http://search.example',
    text: [
      'Fossick at http://search.example',
      'ERROR: The disk of data is full. To mend it: du -x',
      'OVER: The disk of other is full',
    ].join('\n'),
    begun: [{ ...diskFull, since: '1970-01-01T00:00:01.000Z' }],
    ended: [{ ...found('other'), since: '1970-01-01T00:00:01.000Z' }],
    open: 1,
    leftOut: 0,
  });
  const signature = createHmac('sha256', SECRET).update(`1234.${body}`).digest('hex');
  expect(headers).toMatchObject({ 'x-fossick-timestamp': '1234', 'x-fossick-signature': `sha256=${signature}` });
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that fails twice gets the same message again', async () => {
  await using receiver = await startReceiver((response, count) => response.writeHead(count < 3 ? 503 : 204).end());
  await using alerts = alertsTo(receiver.url);

  alerts.tell({ begun: [diskFull], ended: [], open: [diskFull] });
  await eventually(() => receiver.received.length === 3);

  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
});

test('a receiver that never answers holds up nobody, and the next message says what was left out', async () => {
  let isStuck = true;
  await using receiver = await startReceiver((response) => (isStuck ? undefined : response.end()));
  await using alerts = alertsTo(receiver.url, { timeoutMs: 50 });

  alerts.tell({ begun: [diskFull], ended: [], open: [diskFull] });
  await eventually(() => receiver.received.length === 3);
  isStuck = false;
  const many = Array.from({ length: 1_205 }, (_, place) => found(`disk ${place}`));
  alerts.tell({ begun: many, ended: [], open: many });
  await eventually(() => receiver.received.length === 13, 30_000);

  const messages = receiver.messages().slice(3);
  expect(messages.map(({ begun }) => begun.length)).toEqual(Array.from({ length: 10 }, () => 100));
  expect(messages[0]).toMatchObject({ leftOut: 206, open: 1_205 });
  expect(messages[1]?.leftOut).toBe(0);
});

test('stopping does not wait for a receiver that never answers', async () => {
  await using receiver = await startReceiver(() => undefined);
  const alerts = alertsTo(receiver.url, { timeoutMs: 60_000 });
  alerts.tell({ begun: [diskFull], ended: [], open: [diskFull] });
  await eventually(() => receiver.received.length === 1);

  const startedAt = performance.now();
  await alerts[Symbol.asyncDispose]();

  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('of several processes one speaks, and whoever takes over tells all that holds', async () => {
  await using receiver = await startReceiver((response) => response.end());
  let isSpeaker = false;
  await using alerts = alertsTo(receiver.url, { isSpeaker: () => isSpeaker });

  alerts.tell({ begun: [diskFull], ended: [], open: [diskFull] });
  isSpeaker = true;
  alerts.tell({ ...NONE, open: [diskFull] });
  alerts.tell({ ...NONE, open: [diskFull] });
  await eventually(() => receiver.received.length === 1);

  expect(receiver.messages()).toMatchObject([{ begun: [{ subject: 'data' }], ended: [] }]);
});

test('a redirect is not followed, and the address is in no message', async () => {
  await using target = await startReceiver((response) => response.end());
  await using receiver = await startReceiver((response) => response.writeHead(307, { location: target.url }).end());
  const post = createWebhook({ url: receiver.url, secret: undefined, nowSeconds: () => 0 });

  const failure = await post({}, new AbortController().signal).catch((error: unknown) => error);

  expect(String(failure)).toContain('answered 307');
  expect(String(failure)).not.toContain('to=ops');
  expect(target.received).toEqual([]);
  expect(receiver.received[0]?.headers).not.toHaveProperty('x-fossick-signature');
});
