import { parseArgs } from 'node:util';
import { pushDocuments } from '../push-documents.ts';
import { CORPORA, type CorpusName, readCorpus } from './relevance/corpus.ts';
import { numberedSets } from './running-engine.ts';

const HELP = `usage: node scripts/evaluate/push-corpora.ts --url http://127.0.0.1:8080 --key <API key> <corpus>@<crawler> …

Pushes corpora of test/golden/relevance to crawlers of customer 1 of a running installation, each of an engine of its
own in the language of the corpus, so that typos.ts and typing.ts can ask them. Corpora: ${CORPORA.join(', ')}.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false }, url: { type: 'string' }, key: { type: 'string' } },
});
const { url, key } = values;
if (values.help || url === undefined || key === undefined || positionals.length === 0) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  for (const { name, number } of numberedSets<CorpusName>(positionals, { names: CORPORA, url })) {
    const documents = readCorpus(name).documents.map(({ id, fields }) => ({ id, fields }));
    await pushDocuments({ address: url, customerId: 1, crawlerId: Number(number), key }, documents);
    console.log(`${name}: ${documents.length} documents`);
  }
}
