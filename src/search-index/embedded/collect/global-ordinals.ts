import { columnsOf, type SegmentView, type Snapshot, valueTexts } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';

/** Zeroed arrays by global number; whoever writes into them leaves them zeroed. */
export type Scratch = { readonly counts: Uint32Array; readonly best: Float32Array; readonly marks: Uint32Array };

/** Values of one field of an engine, numbered over all its segments. */
export class FieldOrdinals {
  readonly keys: string[] = [];
  readonly numbers = new Map<string, number>();
  private readonly locals = new WeakMap<Segment, Uint32Array>();
  private arrays: Scratch = scratchFor(0);

  /** Global number by local ordinal, of a segment that was added. */
  localsOf(segment: Segment): Uint32Array {
    return this.locals.get(segment)!;
  }

  scratch(): Scratch {
    if (this.arrays.counts.length < this.keys.length) this.arrays = scratchFor(this.keys.length);
    return this.arrays;
  }

  add(snapshot: Snapshot, view: SegmentView, field: string): void {
    if (this.locals.has(view.segment)) return;
    const columns = columnsOf(snapshot, view, field);
    const local = new Uint32Array(columns?.keyword.values.count ?? 0);
    let ordinal = 0;
    for (const text of columns === undefined ? [] : valueTexts(snapshot, view, { field, columns })) {
      local[ordinal++] = this.numberOf(text);
    }
    this.locals.set(view.segment, local);
  }

  private numberOf(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.keys.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}

/**
 * Values kept over all fields of a thread. Those of dead segments pile up in the append-only tables, so the table used
 * longest ago goes first, and one that is too large alone is made anew.
 */
const MAX_KEYS = 1_000_000;
/** Tables of fields, most of them small. */
const MAX_TABLES = 2_000;

/** Engine-wide numbers of field values, so that counts of segments are added as arrays. Made on first use. */
export class GlobalOrdinals {
  private readonly fields = new Map<string, FieldOrdinals>();

  /** Table of a field that knows every value of the snapshot. */
  of(snapshot: Snapshot, field: string): FieldOrdinals {
    const name = `${snapshot.engineId} ${field}`;
    const kept = this.fields.get(name);
    const table = kept === undefined || kept.keys.length > MAX_KEYS ? new FieldOrdinals() : kept;
    for (const view of snapshot.segments) table.add(snapshot, view, field);
    // A name that no document has is the caller's: nothing of it is kept.
    if (table.keys.length > 0 || kept !== undefined) this.keep(name, table);
    return table;
  }

  /** Drops the tables of an engine. */
  forget(engineId: number): void {
    for (const name of this.fields.keys()) if (name.startsWith(`${engineId} `)) this.fields.delete(name);
  }

  private keep(name: string, table: FieldOrdinals): void {
    this.fields.delete(name);
    this.fields.set(name, table);
    let keys = 0;
    for (const { keys: own } of this.fields.values()) keys += own.length;
    for (const [oldest, { keys: own }] of this.fields) {
      if ((keys <= MAX_KEYS && this.fields.size <= MAX_TABLES) || oldest === name) return;
      this.fields.delete(oldest);
      keys -= own.length;
    }
  }
}

function scratchFor(size: number): Scratch {
  return { counts: new Uint32Array(size), best: new Float32Array(size), marks: new Uint32Array(size) };
}
