import { mean } from './ranking-measures.ts';

/** Places of a ranking that are looked at; one that is not among them counts as the next. */
export const PLACES = 10;

/** 1-based place of the first right page by engine; `PLACES` + 1 where it is not found. */
export type EnginePlaces = Readonly<Record<string, number>>;

export function placesOf(
  idsByEngine: Readonly<Record<string, readonly string[]>>,
  isRight: (id: string) => boolean,
): EnginePlaces {
  const places = Object.entries(idsByEngine).map(([engine, ids]) => {
    const at = ids.slice(0, PLACES).findIndex(isRight);
    return [engine, at < 0 ? PLACES + 1 : at + 1] as const;
  });
  return Object.fromEntries(places);
}

/** Two lines above columns of `measuredColumns`: the engines, and what is measured. */
export function columnHeads(engines: readonly string[]): readonly [string, string] {
  return [inColumns(engines), inColumns(engines.map(() => 's@1   s@5   MRR'))];
}

/** Of each engine the shares that are first and among five, and the mean reciprocal place. */
export function measuredColumns(engines: readonly string[], queries: readonly EnginePlaces[]): string {
  return inColumns(engines.map((engine) => measured(queries.map(({ [engine]: place = PLACES + 1 }) => place))));
}

function measured(places: readonly number[]): string {
  const within = (most: number) => mean(places.map((place) => Number(place <= most))).toFixed(3);
  return `${within(1)} ${within(5)} ${mean(places.map((place) => (place <= PLACES ? 1 / place : 0))).toFixed(3)}`;
}

const COLUMN_CHARS = 17;

function inColumns(texts: readonly string[]): string {
  return texts.map((text) => text.padEnd(COLUMN_CHARS)).join('   ');
}
