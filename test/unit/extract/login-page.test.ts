import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLoginPage } from '../../../src/extract/login-page.ts';

const URL_OF_PAGE = 'https://site.example/account/login?next=/';
const read = (html: string) =>
  readLoginPage({ url: URL_OF_PAGE, body: Buffer.from(html), contentType: 'text/html; charset=utf-8' });
const NAMES = ['user', 'pass'];

describe('the form of a login page', () => {
  test('is the one with the inputs, not the search box before it', () => {
    const page = read(`<form action="/search"><input name="q" value="x"></form>
<form method="POST" action="../session"><input type="hidden" name="csrf" value="a&amp;b"><input name="user" value="">
<input type="password" name="pass" value="old"><input type="checkbox" name="stay" checked><input type="checkbox" name="no">
<input type="radio" name="r" value="1"><input type="radio" name="r" value="2" checked><input name="off" disabled value="x">
<input type="submit" name="go" value="In"><select name="s"></select><textarea name="t">x</textarea></form>`);

    expect(page.formWith(NAMES)).toEqual({
      action: 'https://site.example/session',
      method: 'post',
      filled: [
        ['csrf', 'a&b'],
        ['user', ''],
        ['stay', 'on'],
        ['r', '2'],
        ['t', 'x'],
      ],
    });
    expect([page.asksForPassword, page.hasForm(NAMES), page.hasForm(['other'])]).toEqual([true, true, false]);
  });

  test.each([
    ['<form method=post>', URL_OF_PAGE],
    ['<form method=post action="">', URL_OF_PAGE],
    ['<form method=post action="?step=2">', 'https://site.example/account/login?step=2'],
    ['<base href="https://other.example/"><form method=post action="in">', 'https://other.example/in'],
  ])('%s sends to %s', (start, action) => {
    const page = read(`${start}<input name=user><input name=pass type=password></form>`);
    expect(page.formWith(NAMES)?.action).toBe(action);
  });

  test.each([
    ['no form', '<p>Welcome</p>'],
    ['a form without a password', '<form><input name=q></form>'],
    ['an action that is no URL', '<form method=post action="http://["><input name=pass type=password></form>'],
  ])('%s is none', (_name, html) => {
    expect(read(html).formWith(NAMES)).toBeUndefined();
  });

  test('sends what its lists, texts and controls elsewhere hold, and nothing that is switched off', () => {
    const page =
      read(`<input name="a" value="1" form="in"><form id="in" method="post"><input type="password" name="pass">
<select name="tenant"><option value="x">X<option value="y" selected>Y</select><textarea name="m">hi</textarea>
<select name="several" multiple><option selected>1<option>2<option selected>3</select><select name="first"><option>A<option>B</select>
<fieldset disabled><input name="off" value="x"></fieldset><input name="other" value="x" form="search"></form><form id="search"></form>`);

    expect(page.formWith(['pass'])?.filled).toEqual([
      ['a', '1'],
      ['tenant', 'y'],
      ['m', 'hi'],
      ['several', '1'],
      ['several', '3'],
      ['first', 'A'],
    ]);
  });

  test('sends in the URL unless it says post', () => {
    expect(read('<form><input name=pass type=password></form>').formWith(NAMES)?.method).toBe('get');
  });
});

test.each([
  ['a', true],
  ['a.logout', true],
  ['.menu.open', true],
  ['#account', true],
  ['div#account.open[data-user]', true],
  ['[data-user=me]', true],
  ['[data-user="me too"]', true],
  ["a[href='/out']", true],
  ['#account > a.logout', true],
  ['div a[href^="/o"], .none', true],
  ['a > div', false],
  ['span.other', false],
  ['[data-user=you]', false],
  ['#menu', false],
])('%s is there: %s', (selector, expected) => {
  const page = read(`<div id="account" class="menu open" data-user="me"><span data-user="me too"></span>
<a class="logout link" href="/out">Log out</a></div>`);
  expect(page.has(selector)).toBe(expected);
});

test('no bytes of a page make it throw', () => {
  const piece = fc.constantFrom(
    '<form method=post>',
    '</form>',
    '<input name=user>',
    '<input type=password',
    '<base href="',
    '"',
    '>',
  );
  const html = fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(html, (text) => {
      const form = read(text).formWith(NAMES);
      expect(form === undefined || URL.canParse(form.action)).toBe(true);
    }),
  );
});
