import { runRole } from './run.ts';

await runRole('crawl', async () => (await import('../src/compose/crawl.ts')).composeCrawl);
