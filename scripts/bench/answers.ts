import { parseArgs } from 'node:util';
import { measureProduct } from './answers/measure-product.ts';
import { measureModelOverhead } from './answers/model-overhead.ts';
import { startModel } from './answers/start-model.ts';
import { measureVectorSearch } from './answers/vector-search.ts';

const PASSAGES = 100_000;

const HELP = `usage: npm run bench:answers [-- --pages 5000 --questions 200 --streams 200 --calls 300 --only model --data <folder>
       --dimensions 384]

Times of answers over HTTP without a model and with one on loopback, many streams at once, and what the port of
language models adds to a model. The product runs in processes of its own, as the model does.

--only <part>    model, product or vectors (100,000 passages of --dimensions); the first two without
--data <folder>  of the product, kept: the pages are pushed once
`;

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5000' },
    questions: { type: 'string', default: '200' },
    streams: { type: 'string', default: '200' },
    calls: { type: 'string', default: '300' },
    only: { type: 'string' },
    data: { type: 'string' },
    dimensions: { type: 'string', default: '384' },
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

await using model = await startModel();
if (values.only !== 'product') await measureModelOverhead(model.baseUrl, Number(values.calls));
if (values.only !== 'model') {
  const [pages, questions, streams] = [values.pages, values.questions, values.streams].map(Number) as [
    number,
    number,
    number,
  ];
  await measureProduct({ pages, questions, streams, modelUrl: model.baseUrl, folder: values.data });
}
