import { composeScheduler } from '../src/compose/scheduler.ts';
import { runRole } from './run.ts';

await runRole('scheduler', composeScheduler);
