import { parseArgs } from 'node:util';
import { measureModelOverhead } from './answers/model-overhead.ts';
import { startModel } from './answers/start-model.ts';

const HELP = `usage: npm run bench:answers [-- --calls 300]

What the port of language models adds to a model on loopback.
`;

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '300' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

await using model = await startModel();
await measureModelOverhead(model.baseUrl, Number(values.calls));
