import { runRole } from './run.ts';

await runRole('api', async () => (await import('../src/compose/api.ts')).composeApi);
