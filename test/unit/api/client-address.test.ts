import { describe, expect, test } from 'vitest';
import { createClientAddress } from '../../../src/api/client-address.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as Parameters<ReturnType<typeof createClientAddress>>[0];

describe('a proxy that is not listed', () => {
  test.each([
    ['loopback', '127.0.0.1', [], ['127.0.0.1']],
    ['loopback in IPv6 form', '::ffff:127.0.0.1', [], ['127.0.0.1']],
    ['a private network', '10.1.2.3', ['192.168.0.0/16'], ['10.1.2.3']],
    ['a listed proxy', '10.1.2.3', ['10.0.0.0/8'], []],
    ['the public network', '203.0.113.9', [], []],
  ])('is told when it is on %s', (_name, address, proxies, told) => {
    const seen: string[] = [];
    const clientAddress = createClientAddress(proxies, (each) => seen.push(each));

    clientAddress(request(address, '198.51.100.7'));
    clientAddress(request(address));

    expect(seen).toEqual(told);
  });

  test('does not decide whose rate it is', () => {
    expect(createClientAddress([])(request('127.0.0.1', '198.51.100.7'))).toBe('127.0.0.1');
  });
});
