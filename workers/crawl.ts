import { composeCrawl } from '../src/compose/crawl.ts';
import { runRole } from './run.ts';

await runRole('crawl', composeCrawl);
