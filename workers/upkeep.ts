import { runRole } from './run.ts';

await runRole('upkeep', async () => (await import('../src/compose/upkeep.ts')).composeUpkeep);
