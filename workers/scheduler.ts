import { composeScheduler } from '../src/compose.ts';
import { runRole } from './run.ts';

await runRole('scheduler', composeScheduler);
