import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRoundTrips } from '../postgres/count-round-trips.ts';
import { type ExchangeKind, kindOf } from './exchange-kinds.ts';

/** Round trips so far of one kind of exchange. */
export type RoundTrips = ExchangeKind & { readonly count: number };

/** Loaded by `--import` into every process of the product: a crawl process writes its round trips so far into a file. */
const EVERY_MS = 100;

const folder = process.env['BENCH_ROUND_TRIPS_FOLDER'];
if (folder !== undefined && process.argv[1]?.endsWith('/crawl.ts') === true) {
  const kinds = new Map<string, RoundTrips>();
  countRoundTrips((statements, roundTrips) => {
    const kind = kindOf(statements);
    kinds.set(kind.name, { ...kind, count: (kinds.get(kind.name)?.count ?? 0) + roundTrips });
  });
  const report = () => writeFileSync(join(folder, String(process.pid)), JSON.stringify([...kinds.values()]));
  setInterval(report, EVERY_MS).unref();
}
