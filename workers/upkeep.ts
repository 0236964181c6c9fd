import { composeUpkeep } from '../src/compose/upkeep.ts';
import { runRole } from './run.ts';

await runRole('upkeep', composeUpkeep);
