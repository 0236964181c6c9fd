import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCookieJar } from '../../../src/fetch/http/cookies.ts';

const AT = Date.UTC(2026, 10, 20);

function openJar() {
  const clock = { time: AT, now: () => clock.time };
  const jar = createCookieJar(clock);
  const sent = (url: string) => [...jar.cookiesFor(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  return { clock, jar, sent };
}

describe('a cookie', () => {
  test.each([
    ['a=1', 'https://site.example/x/y', 'https://site.example/x/z', 'a=1'],
    ['a=1', 'https://site.example/x/y', 'https://site.example/other', ''],
    ['a=1; Path=/', 'https://site.example/x/y', 'https://site.example/other', 'a=1'],
    ['a=1; Path=/x', 'https://site.example/', 'https://site.example/xy', ''],
    ['a=1; Path=x', 'https://site.example/', 'https://site.example/', 'a=1'],
    ['a=1; Domain=example', 'https://site.example/', 'https://other.example/', ''],
    ['a=1; Domain=site.example', 'https://site.example/', 'https://www.site.example/', ''],
    ['a=1; Secure', 'https://site.example/', 'http://site.example/', ''],
    ['a=1; Secure', 'https://site.example/', 'https://site.example/', 'a=1'],
    ['a=1; HttpOnly; SameSite=Strict', 'https://site.example/', 'https://site.example/', 'a=1'],
    ['a=1; Max-Age=0', 'https://site.example/', 'https://site.example/', ''],
    ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'https://site.example/', 'https://site.example/', ''],
    ['=1', 'https://site.example/', 'https://site.example/', ''],
    ['', 'https://site.example/', 'https://site.example/', ''],
    [`a=${'x'.repeat(4_096)}`, 'https://site.example/', 'https://site.example/', ''],
  ])('%s of %s is sent to %s as %j', (setCookie, from, to, expected) => {
    const { jar, sent } = openJar();
    jar.keep(from, [setCookie]);
    expect(sent(to)).toBe(expected);
  });

  test('ends with its time, and when the site takes it back', () => {
    const { clock, jar, sent } = openJar();
    expect(jar.keep('https://site.example/', ['a=1; Max-Age=60', 'b=2'])).toBe(true);
    clock.time += 61_000;
    expect(sent('https://site.example/')).toBe('b=2');
    expect(jar.keep('https://site.example/', ['b=; Max-Age=0'])).toBe(true);
    expect(sent('https://site.example/')).toBe('');
  });

  test('that says the same again is no change', () => {
    const { jar } = openJar();
    jar.keep('https://site.example/', ['a=1']);
    expect(jar.keep('https://site.example/', ['a=1'])).toBe(false);
    expect(jar.keep('https://site.example/', ['a=2'])).toBe(true);
  });

  test('of the longer path wins over one of the same name', () => {
    const { jar, sent } = openJar();
    jar.keep('https://site.example/', ['a=deep; Path=/x', 'a=wide; Path=/']);
    expect([sent('https://site.example/x/y'), sent('https://site.example/y')]).toEqual(['a=deep', 'a=wide']);
  });
});

test('a host keeps its newest 50 cookies, a jar its newest 1,000 hosts', () => {
  const { jar, sent } = openJar();
  jar.keep(
    'https://site.example/',
    Array.from({ length: 400 }, (_, i) => `c${i}=1`),
  );
  expect(jar.cookiesFor('https://site.example/').size).toBe(50);
  expect(sent('https://site.example/')).toMatch(/^c350=1; .*c399=1$/);

  for (let host = 0; host < 1_000; host++) jar.keep(`https://h${host}.example/`, ['a=1']);
  expect(sent('https://site.example/')).toBe('');
  expect(sent('https://h0.example/')).toBe('a=1');
});

test('whatever a site sets, what is sent back is one header', () => {
  const part = fc.oneof(fc.constantFrom(';', '=', 'Path=/', 'Max-Age=', 'Expires=', 'a', ' ', '"'), fc.string());
  fc.assert(
    fc.property(
      fc.array(
        fc.array(part).map((parts) => parts.join('')),
        { maxLength: 8 },
      ),
      (setCookies) => {
        const { jar, sent } = openJar();
        // What cannot stand in a header does not arrive in one.
        const arrived = setCookies.filter((text) => /^[\t\x20-\x7e]*$/.test(text));
        jar.keep('https://site.example/a/b', arrived);
        expect(sent('https://site.example/a/b')).toMatch(/^[\t\x20-\x7e]*$/);
      },
    ),
  );
});
