import { composeCrawl } from '../src/compose.ts';
import { runRole } from './run.ts';

await runRole('crawl', composeCrawl);
