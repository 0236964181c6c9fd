import { composeApi } from '../src/compose/api.ts';
import { runRole } from './run.ts';

await runRole('api', composeApi);
