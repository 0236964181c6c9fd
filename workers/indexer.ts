import { composeIndexer } from '../src/compose/indexer.ts';
import { runRole } from './run.ts';

await runRole('indexer', composeIndexer);
