import { composeApi } from '../src/compose.ts';
import { runRole } from './run.ts';

await runRole('api', composeApi);
