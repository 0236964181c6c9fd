import type { Compilable, CompiledQuery, RawBuilder } from 'kysely';
import { engineSql } from './dialects.ts';

/** A statement compiled once: its text, and for each bound value either a constant or the name of a parameter. */
export type Statement<Values, Row> = {
  readonly sql: string;
  /** Values in order of the statement's places. */
  bind(values: Values): SqlValue[];
  /** Type of a result row; never set. */
  readonly row?: Row;
};

export type SqlValue = null | number | bigint | string | Uint8Array;

class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Placeholders for the members of `Values`, typed as what they stand for. */
export type Parameters<Values> = { readonly [Name in keyof Values]: Values[Name] };

/**
 * Compiles a Kysely statement once, so that hot writes pay no building: `build` receives placeholders instead of
 * values. Kysely's builder costs 10 to 30 µs a statement, a prepared one 2 µs.
 */
export function statement<Values extends Record<string, SqlValue>, Row = unknown>(
  build: (parameters: Parameters<Values>) => Compilable<Row>,
): Statement<Values, Row> {
  const placeholders = new Proxy({}, { get: (_target, name) => new Parameter(String(name)) });
  const compiled: CompiledQuery = build(placeholders as Parameters<Values>).compile();
  const places = compiled.parameters;
  return {
    sql: compiled.sql,
    bind: (values) =>
      places.map((place) => (place instanceof Parameter ? (values[place.name] as SqlValue) : (place as SqlValue))),
  };
}

/** A statement written as SQL, for what the builder cannot say. */
export function rawQuery<Row>(query: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => query.compile(engineSql) };
}
