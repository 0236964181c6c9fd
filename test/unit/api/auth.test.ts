import { expect, test } from 'vitest';
import { readCredentials, servesRegion } from '../../../src/api/auth.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const SITE_KEY = { scheme: 'site-key', customerId: 3, engineId: 6 };
const BASIC = { scheme: 'basic', customerId: 3, apiKey: 'key-3-example' };

test.each([
  ['SiteKey Mzo2OlNlYXJjaEtleQ==', SITE_KEY],
  ['SiteKey Mzo2OlNlYXJjaEtleQ', SITE_KEY],
  ['sitekey   Mzo2OlNlYXJjaEtleQ==', SITE_KEY],
  ['SITEKEY Mzo2OlNlYXJjaEtleQ==', SITE_KEY],
  ['Basic MzprZXktMy1leGFtcGxl', BASIC],
  ['basic MzprZXktMy1leGFtcGxl ', BASIC],
  [`Basic ${encode('3:a:b')}`, { scheme: 'basic', customerId: 3, apiKey: 'a:b' }],
])('%s is read', (header, credentials) => {
  expect(readCredentials([header])).toEqual(credentials);
});

test.each([[undefined], [['']], [['  ']]])('%s states nothing', (values) => {
  expect(readCredentials(values)).toEqual({ scheme: 'none' });
});

test.each([
  ['an unknown scheme', 'Bearer abc'],
  ['a raw key', 'key-3-example'],
  ['a scheme without token', 'Basic'],
  ['bad base64', 'Basic %%%'],
  ['one digit too many', 'Basic MzprZ'],
  ['wrong padding', 'SiteKey Mzo2OlNlYXJjaEtleQ='],
  ['the alphabet of URLs', 'Basic Mzp-_w=='],
  ['invalid UTF-8', `Basic ${Buffer.from([0x33, 0x3a, 0xff]).toString('base64')}`],
  ['a second token', 'Basic MzprZXktMy1leGFtcGxl MzprZXktMy1leGFtcGxl'],
  ['a comma and a second scheme', 'Basic MzprZXktMy1leGFtcGxl, Basic MzprZXktMy1leGFtcGxl'],
  ['the literal in another case', 'SiteKey Mzo2OnNlYXJjaGtleQ=='],
  ['two parts as SiteKey', 'SiteKey Mzo2'],
  ['four parts as SiteKey', `SiteKey ${encode('3:6:SearchKey:')}`],
  ['a leading zero', `SiteKey ${encode('03:6:SearchKey')}`],
  ['a customer above the highest id', `Basic ${encode('2147483648:key')}`],
  ['a Basic token without colon', `Basic ${encode('3')}`],
  ['a Basic token without key', `Basic ${encode('3:')}`],
  ['a Basic token sent as SiteKey', 'SiteKey MzprZXktMy1leGFtcGxl'],
  ['a byte order mark', `Basic ${encode('\ufeff3:key')}`],
])('%s is unusable', (_case, header) => {
  expect(readCredentials([header])).toEqual({ scheme: 'unusable' });
});

test('two headers are unusable', () => {
  expect(readCredentials(['Basic MzprZXktMy1leGFtcGxl', 'Basic MzprZXktMy1leGFtcGxl'])).toEqual({ scheme: 'unusable' });
});

test.each([
  ['any', 1, true],
  ['any', 10_000_000, true],
  ['eu', 9_999_999, true],
  ['eu', 10_000_000, false],
  ['us', 9_999_999, false],
  ['us', 10_000_000, true],
] as const)('region %s and customer %i: %s', (region, customerId, served) => {
  expect(servesRegion(region, customerId)).toBe(served);
});
