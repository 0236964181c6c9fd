/** The vectors of the passages of one version of a document, in their order. */
export type DocumentVectors = {
  readonly rid: number;
  /** Of the version that the passages were cut from. */
  readonly seq: number;
  /** Digest of what was embedded with every passage beside its own text; hex. */
  readonly contextHash: string;
  readonly dimensions: number;
  /** Of each passage, 16 bytes as hex. */
  readonly hashes: readonly string[];
  /** Of each passage `packedBytes(dimensions)` bytes: see `packVector`. */
  readonly packed: Uint8Array;
};

const SCALE_BYTES = 4;
const HIGHEST = 127;

export function packedBytes(dimensions: number): number {
  return SCALE_BYTES + dimensions;
}

/**
 * One signed byte per dimension behind their scale (float32, little endian): a quarter of the room, and cosines that
 * differ by less than .01.
 */
export function packVector(vector: Float32Array): Uint8Array {
  const packed = new Uint8Array(packedBytes(vector.length));
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / HIGHEST || 1;
  const view = new DataView(packed.buffer);
  view.setFloat32(0, scale, true);
  vector.forEach((value, index) => {
    view.setInt8(SCALE_BYTES + index, Math.round(value / scale));
  });
  return packed;
}

/** The values of the passage at `place`, unscaled: signs and proportions. A view, no copy. */
export function packedValues({ packed, dimensions }: DocumentVectors, position: number): Int8Array {
  return new Int8Array(packed.buffer, packed.byteOffset + position * packedBytes(dimensions) + SCALE_BYTES, dimensions);
}

/** Cosine of the passage at `place` and a vector of length 1 of the same dimensions. */
export function packedCosine(input: DocumentVectors, position: number, query: Float32Array): number {
  const { packed, dimensions } = input;
  const view = new DataView(packed.buffer, packed.byteOffset + position * packedBytes(dimensions), SCALE_BYTES);
  const values = packedValues(input, position);
  let sum = 0;
  // A loop: this is what a question costs per passage.
  for (let index = 0; index < dimensions; index++) sum += (values[index] ?? 0) * (query[index] ?? 0);
  return sum * view.getFloat32(0, true);
}

/** Raised when passages are embedded otherwise: then all are embedded anew, which costs tokens. */
const FORM = 1;

/** Name of all vectors of a model: one set per model and form of what is embedded. */
export function vectorSetOf(model: string): string {
  return `${FORM} ${model}`;
}

export function modelOfVectorSet(set: string): string {
  return set.slice(set.indexOf(' ') + 1);
}
