import { describe, expect, test } from 'vitest';
import type { AppError } from '../../../src/core/errors.ts';
import { allowEntry, NOTHING_PRIVATE } from '../../../src/fetch/egress-gate.ts';
import { admit, gateWith, names, never, PUBLIC, reasonOf, record } from '../../helpers/egress-gate.ts';

describe('literal addresses', () => {
  test.each([
    // every range of reliability 8.4, first and last address
    'http://0.0.0.0/',
    'http://0.255.255.255/',
    'http://10.0.0.0/',
    'http://10.255.255.255/',
    'http://100.64.0.0/',
    'http://100.127.255.255/',
    'http://127.0.0.1/',
    'http://127.255.255.255/',
    'http://169.254.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://172.16.0.0/',
    'http://172.31.255.255/',
    'http://192.0.0.1/',
    'http://192.0.0.192/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://192.168.0.0/',
    'http://192.168.255.255/',
    'http://198.18.0.0/',
    'http://198.19.255.255/',
    'http://198.51.100.7/',
    'http://203.0.113.7/',
    'http://224.0.0.1/',
    'http://239.255.255.255/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://168.63.129.16/',
    // spellings of 127.0.0.1
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://0/',
    // IPv6
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fdff:ffff::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
    'http://[2001:db8::1]/',
    'http://[2001:10::1]/',
    'http://[2001:1ff::1]/',
    'http://[3fff::1]/',
    'http://[4000::1]/',
    'http://[5f00::1]/',
    // IPv4 inside of IPv6
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:0:10.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[64:ff9b:1::1]/',
    'http://[64:ff9b:1::808:808]/',
    'http://[2002:7f00:1::1]/',
    'http://[2002:c0a8:101::1]/',
    'http://[2001:0:7f00:1::1]/',
    'http://[2001:0:808:808::80ff:fffe]/',
    'http://[2a00:1450::5efe:10.0.0.1]/',
    'http://[2a00:1450::200:5efe:192.168.0.1]/',
    'http://[::8.8.8.8]/',
  ])('%s is refused', async (url) => {
    expect(await admit(url)).toBe('blocked-address');
  });

  test.each([
    'http://9.255.255.255/',
    'http://11.0.0.0/',
    'http://100.63.255.255/',
    'http://100.128.0.0/',
    'http://126.255.255.255/',
    'http://128.0.0.0/',
    'http://172.15.255.255/',
    'http://172.32.0.0/',
    'http://192.0.1.0/',
    'http://192.167.255.255/',
    'http://192.169.0.0/',
    'http://198.17.255.255/',
    'http://198.20.0.0/',
    'http://223.255.255.255/',
    'http://[2a00:1450:4001::200e]/',
    'http://[2001:200::1]/',
    'http://[2002:808:808::1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[2a00:1450::5efe:8.8.8.8]/',
  ])('%s is admitted', async (url) => {
    expect(await admit(url)).toBeUndefined();
  });
});

describe('schemes, user info and ports', () => {
  test.each([
    ['ftp://site.example/', 'scheme'],
    ['file:///etc/hosts', 'scheme'],
    ['gopher://site.example/', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['ws://site.example/', 'scheme'],
    ['site.example', 'scheme'],
    ['http://', 'scheme'],
    ['http://user@site.example/', 'blocked-address'],
    ['http://user:secret@site.example/', 'blocked-address'],
    ['http://./', 'blocked-address'],
    ['http://site.example:0/', 'blocked-port'],
    ['http://site.example:22/', 'blocked-port'],
    ['http://site.example:25/', 'blocked-port'],
    ['http://site.example:81/', 'blocked-port'],
    ['http://site.example:1023/', 'blocked-port'],
    ['http://site.example:2049/', 'blocked-port'],
    ['http://site.example:6000/', 'blocked-port'],
    ['http://site.example:6667/', 'blocked-port'],
    ['http://site.example:10080/', 'blocked-port'],
    ['http://site.example/', undefined],
    ['https://site.example/', undefined],
    ['http://site.example:443/', undefined],
    ['https://site.example:80/', undefined],
    ['http://site.example:1024/', undefined],
    ['http://site.example:8080/', undefined],
    ['https://site.example:65535/', undefined],
    ['http://SITE.example./', undefined],
  ])('%s → %s', async (url, reason) => {
    expect(await admit(url)).toBe(reason);
  });
});

describe('records of a name', () => {
  test.each([
    ['a record with a zone id', [`fe80::1%eth0`]],
    ['no record', []],
    ['text that is no address', ['site.example']],
    ['too many records', Array.from({ length: 5_000 }, () => PUBLIC)],
  ])('%s refuses the host', async (_, records) => {
    const { resolve } = names({ 'site.example': records });
    expect(await admit('http://site.example/', { resolve })).toBe('blocked-address');
  });

  test('the target has all judged records in their order', async () => {
    const { resolve } = names({ 'site.example': ['2a00:1450::1', PUBLIC] });
    const target = await gateWith({ resolve }).admit('https://site.example/x', NOTHING_PRIVATE, never);
    expect(target).toEqual({
      hostname: 'site.example',
      port: 443,
      addresses: [
        { address: '2a00:1450::1', family: 6 },
        { address: PUBLIC, family: 4 },
      ],
    });
  });

  test('an answer is reused for 60 s and not longer', async () => {
    let now = 0;
    const { resolve, asked } = names({ 'site.example': [PUBLIC] });
    const gate = gateWith({ resolve, clock: { now: () => now } });
    const ask = () => gate.admit('http://site.example/', NOTHING_PRIVATE, never);

    await Promise.all([ask(), ask()]);
    now = 59_999;
    await ask();
    expect(asked).toHaveLength(1);
    now = 60_000;
    await ask();
    expect(asked).toHaveLength(2);
  });

  test('a name that turns private is refused when its answer is asked again', async () => {
    let now = 0;
    let address = PUBLIC;
    const gate = gateWith({ resolve: async () => [record(address)], clock: { now: () => now } });
    await gate.admit('http://site.example/', NOTHING_PRIVATE, never);
    address = '127.0.0.1';
    now = 60_000;
    expect(await reasonOf(gate.admit('http://site.example/', NOTHING_PRIVATE, never))).toBe('private-name');
  });

  test.each([
    ['ENOTFOUND', 'dns-not-found'],
    ['ENODATA', 'dns-not-found'],
    ['EAI_AGAIN', 'dns-temporary'],
    ['ESERVFAIL', 'dns-temporary'],
    ['ETIMEOUT', 'dns-temporary'],
  ])('resolver error %s is %s and is not remembered', async (code, reason) => {
    let fails = true;
    const resolve = async () => {
      if (fails) throw Object.assign(new Error('resolver'), { code });
      return [record(PUBLIC)];
    };
    const gate = gateWith({ resolve });
    expect(await reasonOf(gate.admit('http://site.example/', NOTHING_PRIVATE, never))).toBe(reason);
    fails = false;
    expect(await reasonOf(gate.admit('http://site.example/', NOTHING_PRIVATE, never))).toBeUndefined();
  });

  test.each(['http://egress.invalid/', 'https://a.b.invalid/', 'http://invalid/'])(
    '%s is never there, and nobody is asked for it (RFC 6761)',
    async (url) => {
      const { resolve, asked } = names({});
      expect(await admit(url, { resolve })).toBe('dns-not-found');
      expect(asked).toEqual([]);
    },
  );

  test('a slow resolver does not hold up an abort', async () => {
    const controller = new AbortController();
    const gate = gateWith({ resolve: () => Promise.withResolvers<never>().promise });
    const asked = gate.admit('http://site.example/', NOTHING_PRIVATE, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
  });

  test('a refusal does not name the address', async () => {
    const { resolve } = names({ 'site.example': ['192.168.77.5'] });
    const error = await gateWith({ resolve })
      .admit('http://site.example/', NOTHING_PRIVATE, never)
      .catch((thrown: unknown) => thrown);
    expect(JSON.stringify([String(error), (error as AppError).options])).not.toContain('192.168');
  });
});

describe('what the operator opens', () => {
  const internal = {
    resolve: names({ 'intranet.example': ['10.1.2.3'], 'meta.example': ['169.254.169.254'] }).resolve,
  };

  test.each([
    ['http://127.0.0.1:8081/', '127.0.0.1:8081', undefined],
    ['http://127.0.0.1:8082/', '127.0.0.1:8081', 'blocked-address'],
    ['http://127.0.0.2:8081/', '127.0.0.1:8081', 'blocked-address'],
    ['http://[::1]:8081/', '[::1]:8081', undefined],
    ['http://127.0.0.1:8400/', '127.0.0.1:8400', undefined],
    ['http://169.254.169.254/', '169.254.169.254:80', undefined],
    ['http://intranet.example/', 'intranet.example:80', 'private-name'],
    ['http://meta.example/', 'meta.example:80', 'blocked-address'],
    ['http://127.0.0.1:22/', '127.0.0.1:22', 'blocked-port'],
    ['ftp://10.1.2.3/', '10.1.2.3:80', 'scheme'],
  ])('%s with the address %s → %s', async (url, address, reason) => {
    const allow = { addresses: new Set([address]), names: [] };
    expect(await admit(url, { ...internal, ownPorts: new Set([8400]) }, allow)).toBe(reason);
  });

  test.each([
    ['http://10.0.0.1/', undefined],
    ['http://192.168.0.1:8080/', undefined],
    ['http://127.0.0.1:8080/', undefined],
    ['http://[::1]:8080/', undefined],
    ['http://[fd12::1]/', undefined],
    ['http://intranet.example/', undefined],
    ['http://169.254.169.254/', 'blocked-address'],
    ['http://169.254.1.1/', 'blocked-address'],
    ['http://[fd00:ec2::254]/', 'blocked-address'],
    ['http://168.63.129.16/', 'blocked-address'],
    ['http://100.100.100.200/', 'blocked-address'],
    ['http://[::ffff:169.254.169.254]/', 'blocked-address'],
    ['http://meta.example/', 'blocked-address'],
    ['http://224.0.0.1/', 'blocked-address'],
    ['http://0.0.0.0/', 'blocked-address'],
    ['http://127.0.0.1:6379/', 'blocked-address'],
    ['http://[::ffff:127.0.0.1]:6379/', 'blocked-address'],
    ['http://10.0.0.9:6379/', 'blocked-address'],
    ['http://8.8.8.8:6379/', undefined],
    ['http://93.184.215.99:6379/', 'blocked-address'],
    ['http://93.184.215.99:8080/', undefined],
  ])('with open private networks %s → %s', async (url, reason) => {
    const options = { allowPrivateNetworks: true, ownPorts: new Set([6379]), ownAddresses: () => ['93.184.215.99'] };
    expect(await admit(url, { ...internal, ...options })).toBe(reason);
  });

  test.each([
    ['http://93.184.215.99/', ['93.184.215.99']],
    ['http://[2a00:1450::99]/', ['2a00:1450:0:0::99']],
  ])('an own public address is refused: %s', async (url, own) => {
    expect(await admit(url, { ownAddresses: () => own })).toBe('blocked-address');
  });
});

test.each([
  ['http://Intranet.Example/', 'intranet.example:80'],
  ['https://intranet.example./x', 'intranet.example:443'],
  ['http://[::1]:8080/', '[::1]:8080'],
  ['nonsense', undefined],
])('the allow entry of %s is %s', (url, entry) => {
  expect(allowEntry(url)).toBe(entry);
});
