import { composeIndexer } from '../src/compose.ts';
import { runRole } from './run.ts';

await runRole('indexer', composeIndexer);
