import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRoundTrips } from '../postgres/count-round-trips.ts';

/** Loaded by `--import` into every process of the product: a crawl process writes its round trips so far into a file. */
const EVERY_MS = 100;

const folder = process.env['BENCH_ROUND_TRIPS_FOLDER'];
if (folder !== undefined && process.argv[1]?.endsWith('/crawl.ts') === true) {
  const roundTrips = countRoundTrips();
  setInterval(() => writeFileSync(join(folder, String(process.pid)), String(roundTrips())), EVERY_MS).unref();
}
