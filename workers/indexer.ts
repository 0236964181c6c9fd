import { runRole } from './run.ts';

await runRole('indexer', async () => (await import('../src/compose/indexer.ts')).composeIndexer);
