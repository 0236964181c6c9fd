import { describe, expect, test } from 'vitest';
import { allowListOf, markOf, namesToResolve } from '../../../src/crawl/rules/private-names.ts';
import { parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';
import { isPinnableNetwork, networkOf } from '../../../src/fetch/private-networks.ts';

const SEEDS = ['http://127.0.0.1:8080/a', 'https://intranet.example/', 'http://[::1]/', 'http://localhost:3000/'];
const DOMAINS = ['wiki.example', 'git.example:8443', '*.inside.example', '10.1.2.3'];

test('literal addresses are opened as they are written, names only under a mark, on their ports', () => {
  const privateNames = {
    'WIKI.example': ['10.1.2.0/24'],
    'a.inside.example': ['10.1.3.0/24'],
    '*.git.example': ['10.1.4.0/24'],
    '*.inside.example': ['10.1.5.0/24'],
  };

  const { addresses, names } = allowListOf({ seeds: SEEDS, domains: DOMAINS, privateNames });

  expect([...addresses].sort()).toEqual(['10.1.2.3:443', '10.1.2.3:80', '127.0.0.1:8080', '[::1]:80']);
  expect(names).toEqual([
    { name: 'wiki.example', ports: [80, 443], networks: ['10.1.2.0/24'] },
    { name: 'a.inside.example', ports: [80, 443], networks: ['10.1.3.0/24'] },
    { name: '*.inside.example', ports: [80, 443], networks: ['10.1.5.0/24'] },
    { name: 'localhost', ports: [3000], networks: ['127.0.0.0/8', '::1/128'] },
  ]);
});

test('only names that stand for one host are resolved', () => {
  expect(namesToResolve({ seeds: SEEDS, domains: DOMAINS })).toEqual([
    'intranet.example',
    'wiki.example',
    'git.example',
  ]);
});

test.each([
  ['wiki.example', 'wiki.example'],
  ['a.inside.example', '*.inside.example'],
  ['inside.example', undefined],
])('%s stands under the mark %s', (host, mark) => {
  expect(markOf(host, { 'wiki.example': [], '*.inside.example': [] })).toBe(mark);
});

test.each([
  ['10.1.2.3', '10.1.2.0/24'],
  ['::ffff:10.1.2.3', '10.1.2.0/24'],
  ['192.168.7.255', '192.168.7.0/24'],
  ['127.0.0.66', '127.0.0.66/32'],
  ['::1', '::1/128'],
  ['fd12:3456:789a:1::5', 'fd12:3456:789a:1::/64'],
  ['93.184.215.99', '93.184.215.99/32'],
])('%s is pinned to %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['10.0.0.0/8', true],
  ['10.1.2.0/24', true],
  ['127.0.0.0/8', true],
  ['fd00::/8', true],
  ['93.184.215.99/32', true],
  ['10.0.0.0/7', false],
  ['0.0.0.0/0', false],
  ['93.184.215.0/24', false],
  ['169.254.0.0/16', false],
  ['::/0', false],
  ['10.1.2.3', false],
  ['nonsense', false],
])('a name may be pinned to %s: %s', (network, expected) => {
  expect(isPinnableNetwork(network)).toBe(expected);
});

describe('the setting', () => {
  const problemsOf = (privateNames: unknown) => {
    try {
      parseCrawlSettings({ seeds: ['https://intranet.example/'], domains: DOMAINS, privateNames });
      return [];
    } catch (error) {
      return (error as { options: { problems: { path: string }[] } }).options.problems.map(({ path }) => path);
    }
  };

  test.each([
    [{ 'intranet.example': ['10.1.2.0/24'], '*.inside.example': ['10.0.0.0/8', 'fd00::/8'] }, []],
    [{ 'other.example': ['10.1.2.0/24'] }, ['privateNames.other.example']],
    [{ '10.1.2.3': ['10.1.2.0/24'] }, ['privateNames.10.1.2.3']],
    [{ 'intranet.example:443': ['10.1.2.0/24'] }, ['privateNames.intranet.example:443']],
    [{ 'intranet.example': [] }, ['privateNames.intranet.example']],
    [{ 'intranet.example': ['0.0.0.0/0'] }, ['privateNames.intranet.example[0]']],
    [{ 'intranet.example': '10.1.2.0/24' }, ['privateNames.intranet.example']],
  ])('%j → %j', (privateNames, problems) => {
    expect(problemsOf(privateNames)).toEqual(problems);
  });
});
