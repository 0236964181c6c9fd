import { Agent, request } from 'undici';
import type { CrawlOrder, PreparedCrawl } from '../contestant.ts';
import { readPage } from '../read-page.ts';

/** The floor: undici, htmlparser2 and a set of known URLs; nothing is kept, nothing is waited for. */
export async function prepare({ seed, concurrency }: CrawlOrder): Promise<PreparedCrawl> {
  const dispatcher = new Agent({ connections: concurrency });
  const found = [seed];
  const known = new Set(found);
  let pages = 0;
  const visit = async (url: string) => {
    const { statusCode, body } = await request(url, { dispatcher });
    const html = await body.text();
    if (statusCode !== 200) return;
    pages++;
    for (const link of readPage(html, url).links) {
      if (known.has(link)) continue;
      known.add(link);
      found.push(link);
    }
  };
  const crawl = async () => {
    const active = new Set<Promise<void>>();
    for (let next = 0; next < found.length || active.size > 0; ) {
      const url = active.size < concurrency ? found[next] : undefined;
      if (url === undefined) {
        await Promise.race(active);
        continue;
      }
      next++;
      const visiting = visit(url).finally(() => active.delete(visiting));
      active.add(visiting);
    }
    return pages;
  };
  return { crawl, [Symbol.asyncDispose]: () => dispatcher.destroy() };
}
