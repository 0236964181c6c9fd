import { expect, test } from 'vitest';
import { createSanitizer } from '../../../src/search-tools/sanitize.ts';

const FORBIDDEN_TAG =
  /<\/?(script|form|input|button|i?frame|frameset|object|embed|applet|svg|math|style|meta|base|link|noscript|video|details)/i;
const FORBIDDEN_ATTRIBUTE =
  /\son\w+\s*=|javascript:|vbscript:|data:|url\(|expression\(|position|\s(id|name|data-\w+|srcdoc|formaction)=/i;

// Contract: 2.10.
test.each([
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" ONLOAD="alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href=" &#x6A;avascript:alert(1)">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img srcset="data:image/png;base64,AA 1x, javascript:alert(1) 2x">',
  '<form action="https://evil.example/"><input name="q"><button formaction="javascript:alert(1)">x</button></form>',
  '<iframe src="https://evil.example/"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<frameset><frame src="https://evil.example/"></frameset>',
  '<object data="x.swf"></object><embed src="x.swf"><applet code="x"></applet>',
  '<svg onload="alert(1)"><a xlink:href="javascript:alert(1)"><text>x</text></a><set attributeName="href" to="javascript:alert(1)"/></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)"><base href="https://evil.example/"><link rel="stylesheet" href="x">',
  '<style>body{background:url(javascript:alert(1))}</style>',
  '<p style="background:url(javascript:alert(1));position:fixed;width:expression(alert(1))">x</p>',
  '<p id="config" name="config" data-search-result="x" onmouseover="alert(1)">x</p>',
  '<!--<img src=x onerror=alert(1)>--><![CDATA[<script>alert(1)</script>]]>',
  '<video><source onerror="alert(1)"></video><details open ontoggle=alert(1)>x</details>',
  '<b>unclosed <a href="https://example.com" target="_blank">x',
])('of %s only harmless markup is left', (html) => {
  const clean = createSanitizer()(html);

  const tags = clean.match(/<[^>]*>/g) ?? [];
  // What stands in these is shown as text.
  const attributes = tags.join('').replace(/ (?:title|alt)="[^"<>]*"/g, '');
  expect(clean).not.toMatch(FORBIDDEN_TAG);
  expect(attributes).not.toMatch(FORBIDDEN_ATTRIBUTE);
  for (const tag of tags.filter((text) => text.includes('target='))) expect(tag).toContain('noopener');
});

test('what editors write stays as it is', () => {
  const html =
    '<div class="hero" style="color:#fff;background-color:rgb(0, 0, 0);padding:4px 8px"><h2>Sale &amp; more</h2>' +
    '<p>Only <strong>today</strong></p><a href="/sale?a=1&amp;b=2">Go</a> <a href="mailto:a@example.com">Mail</a>' +
    '<img src="https://example.com/a.png" alt="A" width="10" /></div>';

  expect(createSanitizer()(html)).toBe(html);
});

test('the same HTML comes out the same, however much was cleaned in between', () => {
  const sanitize = createSanitizer();
  const large = `<p>${'x'.repeat(1_500_000)}</p>`;

  const first = sanitize('<b onclick="x">a</b>');
  for (const i of [1, 2, 3]) sanitize(large + i);

  expect([first, sanitize('<b onclick="x">a</b>')]).toEqual(['<b>a</b>', '<b>a</b>']);
});

test('what stands behind the first 100,000 characters is left out, and open elements are closed', () => {
  const clean = createSanitizer()(`<p>${'x'.repeat(99_999)}<b>late</b></p>`);

  expect(clean).toBe(`<p>${'x'.repeat(99_997)}</p>`);
});

test('deep markup is cleaned', () => {
  expect(createSanitizer()('<svg><math>'.repeat(9_000))).toBe('');
});
