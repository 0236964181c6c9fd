/** A point in degrees. */
export type GeoPoint = { readonly latitude: number; readonly longitude: number };

/** Mean Earth radius in metres. Contract: 2.3. */
export const EARTH_RADIUS_METRES = 6_371_008.8;

/** Metres per unit; the names are matched without regard to case. Contract: 2.3. */
export const METRES_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['inch', 0.0254],
  ['feet', 0.3048],
  ['yards', 0.9144],
  ['miles', 1609.344],
  ['nauticalmiles', 1852],
  ['kilometers', 1000],
  ['meters', 1],
  ['centimeters', 0.01],
  ['millimeters', 0.001],
]);

const POINT = /^\s*([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)\s*$/;
const RADIANS = Math.PI / 180;

/** Reads `"lat,lon"`; undefined when it is no point on Earth. */
export function parseGeoPoint(text: string): GeoPoint | undefined {
  const match = POINT.exec(text);
  if (match === null) return undefined;
  const latitude = Number(match[1]);
  const longitude = Number(match[2]);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { latitude, longitude };
}

/** Great-circle distance in metres on a sphere (haversine). O(1), no allocation. */
export function distanceMetres(latitudeA: number, longitudeA: number, latitudeB: number, longitudeB: number): number {
  const sinLatitude = Math.sin(((latitudeB - latitudeA) * RADIANS) / 2);
  const sinLongitude = Math.sin(((longitudeB - longitudeA) * RADIANS) / 2);
  const h =
    sinLatitude * sinLatitude +
    Math.cos(latitudeA * RADIANS) * Math.cos(latitudeB * RADIANS) * sinLongitude * sinLongitude;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}
