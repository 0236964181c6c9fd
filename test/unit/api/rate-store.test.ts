import { expect, test } from 'vitest';
import { addressKey, createClientAddress } from '../../../src/api/client-address.ts';
import { createMemoryRateStore, limitRate } from '../../../src/api/rate-limit.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { UNLIMITED } from '../../helpers/api-settings.ts';
import { silentLog } from '../../helpers/silent-log.ts';

test('the bucket unused for longest makes room', async () => {
  const store = createMemoryRateStore(2);
  const limit = { perSecond: 0.001, burst: 1 };
  await store.take('a', limit, 0);
  await store.take('b', limit, 0);
  await store.take('a', limit, 0);
  await store.take('c', limit, 0);

  expect((await store.take('a', limit, 0)).allowed).toBe(false);
  expect((await store.take('b', limit, 0)).allowed).toBe(true);
});

test('a store that fails lets the call pass', async () => {
  const settings = { rates: { ...UNLIMITED, search: { perSecond: 1, burst: 1 } } };
  const away = () => Promise.reject(new Error('away'));
  const rates = { take: away, charge: away };
  const deps = { settings, rates, clock: systemClock, log: silentLog, metrics: createMetrics() };

  await expect(limitRate(deps, { rate: 'search', caller: 'a' }, {} as never)).resolves.toBeUndefined();
});

const message = (remoteAddress: string, forwardedFor?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } }) as never;

test.each([
  ['the socket, without listed proxies', [], '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['the socket, when it is no listed proxy', ['10.0.0.0/8'], '9.9.9.9', '1.2.3.4', '9.9.9.9'],
  ['the last hop before the proxies', ['10.0.0.0/8'], '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
  ['the proxy, without a header', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
  ['IPv4 inside IPv6', [], '::ffff:10.0.0.1', undefined, '10.0.0.1'],
  ['an IPv6 caller behind an IPv6 proxy', ['fd00::/8'], 'fd00::1', '2001:db8::7', '2001:db8::7'],
] as const)('the caller is %s', (_case, proxies, socket, forwarded, expected) => {
  expect(createClientAddress(proxies)(message(socket, forwarded))).toBe(expected);
});

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:9::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the callers of %s share the bucket %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
