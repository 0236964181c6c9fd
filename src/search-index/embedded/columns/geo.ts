import { distanceMetres, EARTH_RADIUS_METRES, type GeoPoint } from '../../../core/field-values.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import { RESIDENCY, SECTION, type Section, type SectionData } from '../segment/sections.ts';
import { checkStop } from '../stop-point.ts';
import { sortedBy, spread } from './column-writers.ts';

/** Collects the points of one field. Documents are added in ascending order. */
export class GeoColumnWriter {
  private readonly documents = new GrowableU32();
  private readonly points: (readonly GeoPoint[])[] = [];

  /** `points` has at least one. */
  add(document: number, points: readonly GeoPoint[]): void {
    this.documents.push(document);
    this.points.push(points);
  }

  sections(field: number, documentCount: number): Section[] {
    if (this.points.length === 0) return [];
    const column = (kind: number, part: number, data: SectionData): Section => ({
      kind,
      subject: field,
      part,
      residency: RESIDENCY.column,
      data,
    });
    const documents = this.documents.view();
    const latitude = Float64Array.from(this.points, (points) => points[0]!.latitude);
    const longitude = Float64Array.from(this.points, (points) => points[0]!.longitude);
    const order = Uint32Array.from(sortedBy(latitude), (i) => documents[i]!);
    return [
      column(SECTION.latitude, 0, spread(latitude, documents, documentCount)),
      column(SECTION.longitude, 0, spread(longitude, documents, documentCount)),
      column(SECTION.latitudeOrder, 0, order),
      ...this.exceptionParts().map((data, i) => column(SECTION.geoExceptions, i + 2, data)),
    ];
  }

  /** Further points of documents with several: document per point, then latitude and longitude in turn. */
  private exceptionParts(): SectionData[] {
    const documents: number[] = [];
    const degrees: number[] = [];
    for (const [i, points] of this.points.entries()) {
      for (const { latitude, longitude } of points.slice(1)) {
        documents.push(this.documents.array[i]!);
        degrees.push(latitude, longitude);
      }
    }
    return documents.length === 0 ? [] : [Uint32Array.from(documents), Float64Array.from(degrees)];
  }
}

/** Points of one field of a segment: first point per document (NaN = none), further ones as exceptions. */
export type GeoColumn = {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly order: Uint32Array;
  readonly exceptionDocuments: Uint32Array;
  readonly exceptionDegrees: Float64Array;
};

export function readGeoColumn(
  section: (kind: number, part?: number) => SectionData | undefined,
): GeoColumn | undefined {
  const latitude = section(SECTION.latitude) as Float64Array | undefined;
  if (latitude === undefined) return undefined;
  return {
    latitude,
    longitude: section(SECTION.longitude) as Float64Array,
    order: section(SECTION.latitudeOrder) as Uint32Array,
    exceptionDocuments: (section(SECTION.geoExceptions, 2) as Uint32Array | undefined) ?? new Uint32Array(0),
    exceptionDegrees: (section(SECTION.geoExceptions, 3) as Float64Array | undefined) ?? new Float64Array(0),
  };
}

/** All points of a document. */
export function pointsOf(column: GeoColumn, document: number): GeoPoint[] {
  const points: GeoPoint[] = [];
  if (!Number.isNaN(column.latitude[document]!)) {
    points.push({ latitude: column.latitude[document]!, longitude: column.longitude[document]! });
  }
  for (const [i, other] of column.exceptionDocuments.entries()) {
    if (other !== document) continue;
    points.push({ latitude: column.exceptionDegrees[i * 2]!, longitude: column.exceptionDegrees[i * 2 + 1]! });
  }
  return points;
}

/** Degrees added to the latitude band, so that rounding never drops a point on the rim. */
const BAND_SLACK_DEGREES = 1e-6;
const DISTANCES_BETWEEN_STOPS = 8_192;

/** Sets the bits of documents with a point within `metres`, inclusive. O(documents in the latitude band). */
export function setBitsWithin(column: GeoColumn, centre: GeoPoint, metres: number, bits: Uint32Array): void {
  const { latitude, longitude, order, exceptionDocuments, exceptionDegrees } = column;
  const isWithin = (lat: number, lon: number) => distanceMetres(centre.latitude, centre.longitude, lat, lon) <= metres;
  const bandDegrees = (metres / EARTH_RADIUS_METRES) * (180 / Math.PI) + BAND_SLACK_DEGREES;
  for (let i = firstFrom(order, latitude, centre.latitude - bandDegrees); i < order.length; i++) {
    if (i % DISTANCES_BETWEEN_STOPS === 0) checkStop();
    const d = order[i]!;
    if (latitude[d]! > centre.latitude + bandDegrees) break;
    if (isWithin(latitude[d]!, longitude[d]!)) bits[d >>> 5] = bits[d >>> 5]! | (1 << (d & 31));
  }
  for (let i = 0; i < exceptionDocuments.length; i++) {
    const d = exceptionDocuments[i]!;
    if (isWithin(exceptionDegrees[i * 2]!, exceptionDegrees[i * 2 + 1]!))
      bits[d >>> 5] = bits[d >>> 5]! | (1 << (d & 31));
  }
}

function firstFrom(order: Uint32Array, latitude: Float64Array, least: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (latitude[order[middle]!]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
