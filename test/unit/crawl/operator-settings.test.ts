import { describe, expect, test } from 'vitest';
import { createSecretBox } from '../../../src/accounts/secret-box.ts';
import { hideSecrets } from '../../../src/core/crawler-secrets.ts';
import { AppError } from '../../../src/core/errors.ts';
import { operatorSettingsParser } from '../../../src/crawl/parse-operator-settings.ts';
import { compileHome } from '../../../src/crawl/rules/scope.ts';

const box = createSecretBox('key of the tests, long enough');
const parse = operatorSettingsParser(box);
const seeds = ['https://docs.example/'];
const login = { url: 'https://docs.example/login', fields: { user: 'me', pass: 'open sesame' } };
const SECRETS = {
  seeds,
  headers: { 'X-Token': 'lumo-abc' },
  cookies: { session: 'lumo-def' },
  basicAuth: { username: 'me', password: 'lumo-ghi' },
  login,
  proxy: 'http://me:lumo-jkl@proxy.example:3128',
};

const faultsOf = (settings: Record<string, unknown>, present = {}): readonly string[] => {
  try {
    parse({ seeds, ...settings }, [], present);
    return [];
  } catch (error) {
    return error instanceof AppError ? (error.options.problems ?? []).map(({ path }) => path) : [String(error)];
  }
};

describe('secrets', () => {
  test('are stored sealed and shown as set', () => {
    const stored = parse(SECRETS);

    const text = JSON.stringify(stored);
    for (const secret of ['lumo-abc', 'lumo-def', 'lumo-ghi', 'open sesame', 'lumo-jkl'])
      expect(text).not.toContain(secret);
    expect(hideSecrets(stored)).toMatchObject({
      headers: { 'X-Token': 'set' },
      cookies: { session: 'set' },
      basicAuth: { username: 'me', password: 'set' },
      login: { url: login.url, fields: { user: 'set', pass: 'set' } },
      proxy: 'set',
    });
  });

  test('come back as they were by their key, and by no other', () => {
    const { basicAuth } = parse(SECRETS);
    const sealed = String(basicAuth?.password).replace('sealed:v1:', '');

    expect(box.open(sealed)).toBe('lumo-ghi');
    expect(createSecretBox('another key of the tests').open(sealed)).toBeUndefined();
    expect(box.open(`${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`)).toBeUndefined();
    expect(box.open('')).toBeUndefined();
    expect(box.seal('lumo-ghi')).not.toBe(box.seal('lumo-ghi'));
  });

  test('sent again, in the clear or as set, change nothing', () => {
    const stored = parse(SECRETS);

    expect(parse(SECRETS, [], stored)).toEqual(stored);
    expect(parse(hideSecrets(stored), [], stored)).toEqual(stored);
    expect(parse({ ...SECRETS, cookies: { session: 'new' } }, [], stored).cookies).not.toEqual(stored.cookies);
  });

  test('in a variable are stored and shown by its name', () => {
    const stored = parse({ seeds, headers: { 'x-token': { fromEnv: 'SITE_TOKEN' } } });

    expect(hideSecrets(stored).headers).toEqual({ 'x-token': { fromEnv: 'SITE_TOKEN' } });
  });

  test('a proxy without a password is no secret', () => {
    expect(hideSecrets(parse({ seeds, proxy: 'http://proxy.example:3128' })).proxy).toBe('http://proxy.example:3128');
  });
});

test.each([
  [{ headers: { 'x-token': 'set' } }, ['headers.x-token']],
  [{ headers: { 'x token': 'a' } }, ['headers.x token']],
  [{ headers: { Host: 'a' } }, ['headers.Host']],
  [{ headers: { Cookie: 'a=1' } }, ['headers.Cookie']],
  [{ headers: { 'x-token': 'a\r\nx-other: b' } }, ['headers.x-token']],
  [{ headers: { 'x-token': 7 } }, ['headers.x-token']],
  [{ headers: { 'x-token': { fromEnv: 'A-B' } } }, ['headers.x-token.fromEnv']],
  [{ headers: { 'x-token': { fromFile: 'a' } } }, ['headers.x-token']],
  [{ cookies: { a: 'b; Domain=x' } }, ['cookies.a']],
  [{ basicAuth: { username: 'a:b', password: 'c' } }, ['basicAuth.username']],
  [{ basicAuth: { username: 'a' } }, ['basicAuth.password']],
  [{ login: { ...login, url: 'https://other.example/login' } }, ['login.url']],
  [{ login: { ...login, url: 'http://docs.example/login' } }, ['login.url']],
  [{ login: { ...login, fields: {} } }, ['login.fields']],
  [{ login: { ...login, success: { selector: 'main > a[' } } }, ['login.success.selector']],
  [{ login: { ...login, everyMinutes: 0 } }, ['login.everyMinutes']],
  [{ proxy: 'socks5://proxy.example:1080' }, ['proxy']],
  [{ proxy: 'http://proxy.example:3128/path' }, ['proxy']],
  [{ tls: { ca: ['no certificate'] } }, ['tls.ca[0]']],
])('%j is refused with its path', (settings, paths) => {
  expect(faultsOf(settings)).toEqual(paths);
});

test('what is wrong about a secret is told without it', () => {
  try {
    parse({ headers: { 'x-token': 'secret\nvalue' } });
    expect.unreachable();
  } catch (error) {
    expect(JSON.stringify((error as AppError).options.problems)).not.toContain('secret');
  }
});

test.each([
  [
    { seeds: ['https://www.docs.example/start'], domains: ['docs.example', '*.docs.example'] },
    'https://docs.example',
    true,
  ],
  [{ seeds: ['https://docs.example/'], domains: ['*.docs.example'] }, 'https://api.docs.example', true],
  [{ seeds: ['https://docs.example/'], domains: ['docs.example'] }, 'http://docs.example', false],
  [{ seeds: ['https://docs.example/', 'http://old.example/'], domains: [] }, 'http://old.example', true],
  [{ seeds: ['http://docs.example/'], domains: ['docs.example', 'wiki.example'] }, 'http://wiki.example', true],
  [{ seeds: ['https://docs.example/'], domains: ['docs.example'] }, 'https://docs.example:8443', false],
  [{ seeds: ['https://docs.example:8443/'], domains: [] }, 'https://docs.example:8443', true],
  [{ seeds: ['https://docs.example/'], domains: ['docs.example'] }, 'https://docs.example.evil.example', false],
  [{ seeds: [], domains: ['docs.example'] }, 'ftp://docs.example', false],
  [{ seeds: [], domains: ['docs.example'] }, 'nonsense', false],
])('%j: %s gets credentials: %s', (of, origin, expected) => {
  expect(compileHome(of)(origin)).toBe(expected);
});
