import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, mixColours } from '../../../src/core/contrast.ts';
import { DEFAULT_PALETTES } from '../../../src/core/page-theme.ts';

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  // Known from WCAG tools: the darkest grey that fails on white, and the lightest that passes.
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
])('%s and %s have a contrast of %d', (one, other, expected) => {
  expect(contrastOf(one, other)).toBeCloseTo(expected, 2);
  expect(contrastOf(other, one)).toBe(contrastOf(one, other));
});

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('every colour can be written on with black or with white', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      expect(Math.max(contrastOf(colour, '#000000'), contrastOf(colour, '#ffffff'))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a mixture goes from one colour to the other', () => {
  fc.assert(
    fc.property(colours, colours, (one, other) => {
      expect(mixColours(one, other, 0)).toBe(one);
      expect(mixColours(one, other, 1)).toBe(other);
    }),
  );
  expect(mixColours('#000000', '#ff8000', 0.5)).toBe('#804000');
});

test('the colours of the style sheet are those that contrasts are judged by', () => {
  const sheet = readFileSync(join(import.meta.dirname, '../../../web/parts/base.css'), 'utf8');
  const long = (colour: string) => (colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour);
  const names = { accent: 'accent', background: 'ground', text: 'text', surface: 'surface' } as const;
  for (const [member, name] of Object.entries(names)) {
    const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(sheet) ?? [];
    const { light: ofLight, dark: ofDark } = DEFAULT_PALETTES;
    const key = member as keyof typeof names;
    expect([member, long(light), long(dark)]).toEqual([member, ofLight[key], ofDark[key]]);
  }
});
