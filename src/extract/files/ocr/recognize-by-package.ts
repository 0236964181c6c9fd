/** Entry of a process that reads one picture by the optional package; its arguments: folder of packages, language. */

import { createRequire } from 'node:module';
import { join } from 'node:path';

type Recognizing = {
  readonly recognize: (picture: Buffer) => Promise<{ readonly data: { readonly text: string } }>;
};
/** What is called of the package. */
type Tesseract = {
  readonly createWorker: (
    language: string,
    engine: number,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<Recognizing>;
};

/** Neural networks alone, and the data that is made for them. */
const LSTM_ONLY = 1;
const DATA = '4.0.0_best_int';

const [, , modules = '', language = ''] = process.argv;

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const tesseract: Tesseract = createRequire(join(modules, 'index.js'))('tesseract.js');
// The data is a package, too: nothing is fetched, nothing is written.
const langPath = join(modules, '@tesseract.js-data', language, DATA);
const worker = await tesseract.createWorker(language, LSTM_ONLY, { langPath, gzip: true, cacheMethod: 'none' });
const { data } = await worker.recognize(await readInput());
process.stdout.write(data.text, () => process.exit());
