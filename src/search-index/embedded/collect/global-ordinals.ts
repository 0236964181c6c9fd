import { columnsOf, type SegmentView, type Snapshot, valueTexts } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';

/** Values of one field of an engine, numbered over all its segments. */
export type FieldOrdinals = {
  readonly keys: string[];
  readonly numbers: Map<string, number>;
  readonly locals: WeakMap<Segment, Uint32Array>;
};

/** Values of dead segments pile up in the append-only tables: from so many on a table is made anew. */
const MAX_KEYS = 1_000_000;

/** Engine-wide numbers of field values, so that counts of segments are added as arrays. Made on first use. */
export class GlobalOrdinals {
  private readonly fields = new Map<string, FieldOrdinals>();

  /** Table of a field that knows every value of the snapshot. */
  of(snapshot: Snapshot, field: string): FieldOrdinals {
    const name = `${snapshot.engineId} ${field}`;
    let table = this.fields.get(name);
    if (table === undefined || table.keys.length > MAX_KEYS) {
      table = { keys: [], numbers: new Map(), locals: new WeakMap() };
      this.fields.set(name, table);
    }
    for (const view of snapshot.segments) {
      if (!table.locals.has(view.segment)) table.locals.set(view.segment, numberValues(snapshot, view, field, table));
    }
    return table;
  }

  /** Drops the tables of an engine. */
  forget(engineId: number): void {
    for (const name of this.fields.keys()) if (name.startsWith(`${engineId} `)) this.fields.delete(name);
  }
}

/** Global number by local ordinal. */
function numberValues(snapshot: Snapshot, view: SegmentView, field: string, table: FieldOrdinals): Uint32Array {
  const columns = columnsOf(snapshot, view, field);
  if (columns === undefined) return new Uint32Array(0);
  const local = new Uint32Array(columns.keyword.values.count);
  let ordinal = 0;
  for (const text of valueTexts(snapshot, view, { field, columns })) {
    let number = table.numbers.get(text);
    if (number === undefined) {
      number = table.keys.push(text) - 1;
      table.numbers.set(text, number);
    }
    local[ordinal++] = number;
  }
  return local;
}
