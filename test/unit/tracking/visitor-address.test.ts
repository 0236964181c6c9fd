import { expect, test } from 'vitest';
import { visitorAddress } from '../../../src/tracking/search-events.ts';

test.each([
  // stated, socket, stored
  [undefined, '192.0.2.7', '192.0.2.7'],
  [undefined, '::ffff:192.0.2.7', '192.0.2.7'],
  [undefined, 'fe80::1%eth0', 'fe80::1'],
  ['198.51.100.9', '192.0.2.7', '198.51.100.9'],
  [' 2001:db8::9 ', '192.0.2.7', '2001:db8::9'],
  ['example.com', '192.0.2.7', undefined],
  ['192.0.2.300', '192.0.2.7', undefined],
  ['192.0.2.1, 192.0.2.2', '192.0.2.7', undefined],
])('stated %j over a socket of %j is stored as %j', (stated, socket, stored) => {
  expect(visitorAddress(stated, socket, false)).toBe(stored);
});

test.each([
  ['192.0.2.7', '192.0.2.0'],
  ['::ffff:192.0.2.7', '192.0.2.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:DB8::9', '2001:db8::'],
  ['::1', '::'],
  ['1::3:4:5:6:7:8', '1:0:3::'],
  ['64:ff9b:1::192.0.2.7', '64:ff9b:1::'],
])('%s is stored as %s when addresses are anonymised', (address, stored) => {
  expect(visitorAddress(address, '127.0.0.1', true)).toBe(stored);
});
