import { parseArgs } from 'node:util';
import { packagesOfCaller } from '../packages-of-caller.ts';
import { measureProduct, measureProductBesideSearches } from './answers/measure-product.ts';
import { measureModelOverhead } from './answers/model-overhead.ts';
import { startModel } from './answers/start-model.ts';
import { measureVectorSearch } from './answers/vector-search.ts';

const PASSAGES = 100_000;

const HELP = `usage: npm run bench:answers [-- --pages 5000 --questions 200 --rounds 1 --streams 200 --calls 300 --only model --data <folder>
       --dimensions 384 --embedding-folder <folder>]

What an answer without a model costs beside a search, times of answers over HTTP without a model and with one on
loopback, many streams at once, and what the port of language models adds to a model. The product runs in processes of
its own, as the model does.

--rounds <number> of the same questions beside searches: pages of a small site are soon all in memory
--only <part>    model, searches (answers of passages beside searches of the same words), product, or vectors (100,000
                 passages of --dimensions); the first three without
--data <folder>  of the product, kept: the pages are pushed once
--embedding-folder <folder>  answers beside searches by vectors, too, of a model of this machine that "fossick model
                 add" made; its packages are looked for in DATA_DIR. CPU of the process that embeds counts
`;

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    questions: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '1' },
    streams: { type: 'string', default: '200' },
    calls: { type: 'string', default: '300' },
    only: { type: 'string' },
    data: { type: 'string' },
    dimensions: { type: 'string', default: '384' },
    'embedding-folder': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

if (values.only === 'vectors') {
  await measureVectorSearch(PASSAGES, Number(values.dimensions));
  process.exit(0);
}

const [pages, questions, streams, calls] = [values.pages, values.questions, values.streams, values.calls].map(
  Number,
) as [number, number, number, number];
const isWanted = (part: string) => values.only === undefined || values.only === part;
const plan = { pages, questions, streams, folder: values.data };

const model = values['embedding-folder'];
const embedding = model === undefined ? undefined : { model, packages: packagesOfCaller() };
if (isWanted('searches')) await measureProductBesideSearches({ ...plan, rounds: Number(values.rounds), embedding });
await using languageModel = await startModel();
if (isWanted('model')) await measureModelOverhead(languageModel.baseUrl, calls);
if (isWanted('product')) await measureProduct({ ...plan, modelUrl: languageModel.baseUrl });
