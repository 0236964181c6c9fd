import type { NameRange } from '../../../text/title-name.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { RESIDENCY, SECTION, type Section } from '../segment/sections.ts';

/** Positions between two runs of a class: a phrase with less slop cannot cross values. */
export const RUN_GAP = 32;
/** Class of the runs that plain words do not search. */
export const HIDDEN_CLASS = 3;

/**
 * Writes per document its runs (one value of one field each): field and class, start after the run before, length; and
 * where the name in its title is.
 */
export class RunsWriter {
  private readonly starts = new GrowableU32();
  private readonly bytes = new GrowableU8();
  private readonly names = new GrowableU8();

  beginDocument(): void {
    this.starts.push(this.bytes.length);
    this.names.push(0);
    this.names.push(0);
  }

  /** Positions of the name in the document's title, at most 255. */
  nameTitle({ from, to }: NameRange): void {
    this.names.array[this.names.length - 2] = from;
    this.names.array[this.names.length - 1] = to;
  }

  /** `startDelta` = start less the start of the document's run before it in the same class, 0-based for the first. */
  run(input: { field: number; textClass: number }, startDelta: number, length: number): void {
    this.bytes.varint((input.field << 2) | input.textClass);
    this.bytes.varint(startDelta);
    this.bytes.varint(length);
  }

  /** Takes over a document's runs from another segment of the engine. */
  copy(runs: Uint8Array, from: number, to: number): void {
    this.beginDocument();
    this.bytes.append(runs, from, to);
  }

  sections(): Section[] {
    this.starts.push(this.bytes.length);
    const residency = RESIDENCY.positions;
    return [
      { kind: SECTION.runStart, subject: 0, part: 0, residency, data: this.starts.view() },
      { kind: SECTION.runs, subject: 0, part: 0, residency, data: this.bytes.view() },
      { kind: SECTION.titleNames, subject: 0, part: 0, residency, data: this.names.view() },
    ];
  }
}

/** The runs of one document. Reused between documents; `load` replaces the ones before. */
export class RunReader {
  count = 0;
  fields = new Uint32Array(16);
  classes = new Uint8Array(16);
  starts = new Uint32Array(16);
  ends = new Uint32Array(16);
  private readonly runStart: Uint32Array;
  private readonly runs: Uint8Array;
  private offset = 0;

  constructor(runStart: Uint32Array, runs: Uint8Array) {
    this.runStart = runStart;
    this.runs = runs;
  }

  load(document: number): void {
    this.count = 0;
    this.offset = this.runStart[document]!;
    const end = this.runStart[document + 1]!;
    let lastClass = -1;
    let start = 0;
    while (this.offset < end) {
      const subject = this.varint();
      const delta = this.varint();
      const length = this.varint();
      const textClass = subject & 3;
      start = textClass === lastClass ? start + delta : delta;
      lastClass = textClass;
      this.push(subject >>> 2, textClass, start, length);
    }
  }

  /** Positions of a document's first run of class A, which starts at 0; 0 = it has none. */
  titleLength(document: number): number {
    this.offset = this.runStart[document]!;
    if (this.offset === this.runStart[document + 1]! || (this.varint() & 3) !== 0) return 0;
    this.varint();
    return this.varint();
  }

  private push(field: number, textClass: number, start: number, length: number): void {
    if (this.count === this.fields.length) this.grow();
    this.fields[this.count] = field;
    this.classes[this.count] = textClass;
    this.starts[this.count] = start;
    this.ends[this.count++] = start + length;
  }

  private grow(): void {
    const size = this.count * 2;
    const grown = <T extends Uint32Array | Uint8Array>(old: T, larger: T): T => {
      larger.set(old);
      return larger;
    };
    this.fields = grown(this.fields, new Uint32Array(size));
    this.classes = grown(this.classes, new Uint8Array(size));
    this.starts = grown(this.starts, new Uint32Array(size));
    this.ends = grown(this.ends, new Uint32Array(size));
  }

  private varint(): number {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = this.runs[this.offset++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }
}
