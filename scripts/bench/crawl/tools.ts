import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CrawlCounters, CrawlOrder } from './contestant.ts';

/** A program of the machine that crawls everything from the seed on: its arguments. */
type Tool = (order: CrawlOrder) => { readonly command: string; readonly args: readonly string[] };

/** Crawlers that take part where they are installed. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  // It holds one connection and reads page by page.
  wget: ({ seed, origins, folder }) => ({
    command: 'wget',
    args: [
      ...['--quiet', '--recursive', '--level=inf', '--no-parent', '--span-hosts', '--delete-after'],
      ...['--execute', 'robots=off', `--domains=${origins.map((origin) => new URL(origin).hostname).join(',')}`],
      ...['--directory-prefix', folder, seed],
    ],
  }),
  scrapy: (order) => {
    const spider = join(order.folder, 'spider.py');
    writeFileSync(spider, spiderOf(order));
    return { command: 'scrapy', args: ['runspider', '--nolog', '--output', join(order.folder, 'pages.jsonl'), spider] };
  },
};

/** Runs a tool to its end; CPU of the tool and its children as the shell reports it. */
export function runTool(tool: Tool, order: CrawlOrder): Omit<CrawlCounters, 'pages'> {
  const { command, args } = tool(order);
  const startedAt = performance.now();
  const script = 'TIMEFORMAT="%U %S"; time "$@"';
  const { stderr } = spawnSync('bash', ['-c', script, 'bash', command, ...args], { encoding: 'utf8' });
  const wallMs = performance.now() - startedAt;
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { cpuMs: (user + system) * 1_000, helperCpuMs: 0, wallMs, peakMb: 0, residentMb: 0 };
}

function spiderOf({ seed, concurrency }: CrawlOrder): string {
  return `import scrapy


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = ["${seed}"]
    custom_settings = {
        "CONCURRENT_REQUESTS": ${concurrency},
        "CONCURRENT_REQUESTS_PER_DOMAIN": ${concurrency},
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
    }

    def parse(self, response):
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "description": response.css("meta[name=description]::attr(content)").get(),
            "text": " ".join(response.css("main ::text").getall()),
        }
        yield from response.follow_all(css="a")
`;
}
