import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOSTED_PAGE } from '../../../src/accounts/hosted-page.ts';
import { contrastOf } from '../../../src/core/contrast.ts';
import { themeProperties } from '../../../src/core/theme-properties.ts';

const propertiesOf = (theme: object) => themeProperties(HOSTED_PAGE.parse({ theme }).theme);
const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const palette = fc.record({ accent: colour, background: colour, text: colour, surface: colour }, { requiredKeys: [] });

/** A colour of a theme in light (0) or dark (1). */
function shadesOf(properties: Readonly<Record<string, string>>, at: 0 | 1) {
  return (name: string) => properties[`--${name}`]?.match(/#[0-9a-f]{6}/g)?.[at] ?? '';
}

test('in every theme that is taken, texts, links, marks, buttons and edges can be told from their ground', () => {
  const taken = fc
    .record({ light: palette, dark: palette })
    .filter(
      (theme) => HOSTED_PAGE.safeParse({ theme }).success && Object.keys({ ...theme.light, ...theme.dark }).length > 0,
    );
  fc.assert(
    fc.property(taken, fc.constantFrom(0 as const, 1 as const), (theme, at) => {
      const of = shadesOf(propertiesOf(theme), at);
      for (const name of ['text', 'quiet', 'link'])
        expect(contrastOf(of(name), of('mark'))).toBeGreaterThanOrEqual(4.5);
      for (const ground of [of('ground'), of('surface')]) {
        for (const name of ['text', 'quiet', 'link']) expect(contrastOf(of(name), ground)).toBeGreaterThanOrEqual(4.5);
        for (const name of ['edge', 'focus']) expect(contrastOf(of(name), ground)).toBeGreaterThanOrEqual(3);
      }
      expect(contrastOf(of('on-accent'), of('accent'))).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 300 },
  );
});

test('what is not set is left to the style sheet of the product', () => {
  expect(propertiesOf({})).toEqual({});
  expect(propertiesOf({ scheme: 'dark', logo: '/logo.svg' })).toEqual({});
  expect(Object.keys(propertiesOf({ radius: 'small', density: 'compact', font: 'serif' })).sort()).toEqual([
    '--control',
    '--font',
    '--radius',
    '--radius-pill',
    '--radius-small',
    '--space',
  ]);
});

test('a link keeps an accent that can be read, and only such a one', () => {
  const link = (accent: string) => shadesOf(propertiesOf({ light: { accent } }), 0)('link');

  expect(link('#0b5cad')).toBe('#0b5cad');
  expect(link('#ffd000')).not.toBe('#ffd000');
});

test('the accent of light is that of dark, too, until dark has its own', () => {
  expect(propertiesOf({ light: { accent: '#0b5cad' } })['--accent']).toBe('light-dark(#0b5cad, #0b5cad)');
  expect(propertiesOf({ dark: { accent: '#7db8f0' } })['--accent']).toBe('light-dark(#12403a, #7db8f0)');
});
