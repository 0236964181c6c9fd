import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMetres, EARTH_RADIUS_METRES, METRES_PER_UNIT, parseGeoPoint } from '../../../src/core/field-values.ts';

test.each([
  ['55.6761,12.5683', { latitude: 55.6761, longitude: 12.5683 }],
  [' -90 , +180 ', { latitude: -90, longitude: 180 }],
  ['90.1,0', undefined],
  ['0,-180.5', undefined],
  ['55,7;12,5', undefined],
  ['55', undefined],
  ['x,y', undefined],
  ['', undefined],
])('%j', (text, point) => {
  expect(parseGeoPoint(text)).toEqual(point);
});

test('distances are those of a sphere', () => {
  expect(distanceMetres(0, 0, 0, 180)).toBeCloseTo(Math.PI * EARTH_RADIUS_METRES, 3);
  expect(distanceMetres(90, 0, -90, 77)).toBeCloseTo(Math.PI * EARTH_RADIUS_METRES, 3);
  // Copenhagen to Aalborg.
  expect(distanceMetres(55.6761, 12.5683, 57.0488, 9.9217) / 1000).toBeCloseTo(223.2, 0);
});

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });

test('a distance is the same both ways, 0 to itself, and at most half around', () => {
  fc.assert(
    fc.property(latitude, longitude, latitude, longitude, (a, b, c, d) => {
      const there = distanceMetres(a, b, c, d);
      expect(there).toBeCloseTo(distanceMetres(c, d, a, b), 6);
      expect(there).toBeGreaterThanOrEqual(0);
      expect(there).toBeLessThanOrEqual(Math.PI * EARTH_RADIUS_METRES);
      expect(distanceMetres(a, b, a, b)).toBe(0);
    }),
  );
});

test('units are in metres', () => {
  expect(METRES_PER_UNIT.get('miles')).toBe(1609.344);
  expect(METRES_PER_UNIT.size).toBe(9);
});
