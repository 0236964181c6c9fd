import { runRole } from './run.ts';

await runRole('scheduler', async () => (await import('../src/compose/scheduler.ts')).composeScheduler);
