import { describe, expect, test } from 'vitest';
import type { AllowList } from '../../../src/fetch/egress-gate.ts';
import { createPrivateLookUp } from '../../../src/fetch/gate/create-egress-gate.ts';
import { admit, gateWith, names, never, PUBLIC, reasonOf, record } from '../../helpers/egress-gate.ts';

/** `private`: an operator may mark the name · `closed`: nobody may. */
const INSIDE: readonly (readonly [string, 'private' | 'closed'])[] = [
  ['10.0.0.1', 'private'],
  ['100.64.0.1', 'private'],
  ['127.0.0.1', 'private'],
  ['127.0.0.66', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['::1', 'private'],
  ['fc00::1', 'private'],
  ['fd12:3456::1', 'private'],
  // own addresses
  ['93.184.215.99', 'private'],
  ['2a00:1450::99', 'private'],
  ['0.0.0.0', 'closed'],
  ['169.254.1.1', 'closed'],
  ['fe80::1', 'closed'],
  ['224.0.0.1', 'closed'],
  ['198.18.0.1', 'closed'],
  ['169.254.169.254', 'closed'],
  ['169.254.170.2', 'closed'],
  ['168.63.129.16', 'closed'],
  ['100.100.100.200', 'closed'],
  ['fd00:ec2::254', 'closed'],
];

/** The same address as IPv6 carries it. */
const forms = (address: string) => (address.includes(':') ? [address] : [address, `::ffff:${address}`]);

const OWN = { ownPorts: new Set([8400]), ownAddresses: () => ['93.184.215.99', '2a00:1450:0:0::99'] };

const marked = (name: string, networks: readonly string[], ports = [80]): AllowList => ({
  addresses: new Set(),
  names: [{ name, ports, networks }],
});

describe('a name that leads inside', () => {
  const answers = INSIDE.flatMap(([address, kind]) =>
    forms(address).flatMap((form) => [
      { records: [form], kind },
      { records: [PUBLIC, form], kind },
    ]),
  );

  test.each(answers)(
    '$records is refused without a mark, at first and after a public answer',
    async ({ records, kind }) => {
      let now = 0;
      let answer: readonly string[] = [PUBLIC];
      const gate = gateWith({ ...OWN, resolve: async () => answer.map(record), clock: { now: () => now } });
      const reason = kind === 'private' ? 'private-name' : 'blocked-address';
      // Naming the host and its port as an address does not open it.
      const allow = { addresses: new Set(['site.example:80']), names: [] };
      const ask = () => reasonOf(gate.admit('http://site.example/', allow, never));

      expect(await ask()).toBeUndefined();
      answer = records;
      now = 60_000;

      expect(await ask()).toBe(reason);
      expect(await admit('http://site.example/', { ...OWN, resolve: async () => records.map(record) }, allow)).toBe(
        reason,
      );
    },
  );

  test.each(answers)(
    '$records under a mark for every private network opens what may be marked',
    async ({ records, kind }) => {
      const networks = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128'];
      const allow = marked(
        'site.example',
        [...networks, 'fc00::/7', '93.184.215.99/32', '2a00:1450::99/128'],
        [80, 8400],
      );
      const options = { ...OWN, resolve: async () => records.map(record) };

      expect(await admit('http://site.example/', options, allow)).toBe(
        kind === 'private' ? undefined : 'blocked-address',
      );
      expect(await admit('http://site.example:8400/', options, allow)).toBe('blocked-address');
    },
  );

  test.each([
    ['http://wiki.example/', ['10.1.2.3'], undefined],
    ['http://WIKI.example./', ['10.1.2.3'], undefined],
    ['http://wiki.example/', ['10.1.2.200', '::ffff:10.1.2.4'], undefined],
    ['http://wiki.example/', ['10.1.2.3', PUBLIC], undefined],
    ['http://wiki.example/', ['10.1.3.3'], 'private-name'],
    ['http://wiki.example/', ['10.1.2.3', '127.0.0.1'], 'private-name'],
    ['http://wiki.example/', ['::1'], 'private-name'],
    ['http://wiki.example:8080/', ['10.1.2.3'], 'private-name'],
    ['http://a.wiki.example/', ['10.1.2.3'], 'private-name'],
    ['http://awiki.example/', ['10.1.2.3'], 'private-name'],
    ['http://wiki.example/', ['169.254.169.254'], 'blocked-address'],
  ])('marked for 10.1.2.0/24, %s at %j → %s', async (url, records, reason) => {
    const options = { resolve: async () => records.map(record) };
    expect(await admit(url, options, marked('wiki.example', ['10.1.2.0/24']))).toBe(reason);
  });

  test.each([
    ['http://a.wiki.example/', undefined],
    ['http://a.b.wiki.example/', undefined],
    ['http://wiki.example/', 'private-name'],
    ['http://awiki.example/', 'private-name'],
  ])('a mark of all names below one: %s → %s', async (url, reason) => {
    const options = { resolve: async () => [record('10.1.2.3')] };
    expect(await admit(url, options, marked('*.wiki.example', ['10.1.2.0/24']))).toBe(reason);
  });
});

test('an operator learns which private addresses a name has', async () => {
  const { resolve } = names({ 'wiki.example': [PUBLIC, '10.1.2.3', '169.254.169.254', '93.184.215.99'] });
  const find = createPrivateLookUp({ resolve, ownAddresses: OWN.ownAddresses });
  expect(await find('wiki.example', never)).toEqual(['10.1.2.3', '93.184.215.99']);
  expect(await find('unknown.example', never)).toEqual([]);
});
