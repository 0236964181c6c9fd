/** What may import what: ARCHITECTURE.md shows this table, and a test compares the two. */

export const PORTS = ['storage', 'search-index', 'fetch', 'llm'] as const;

/** Folders of `src` (and the other roots) → folders they may import. A port stands for its contract only. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  text: ['core'],
  config: ['core'],
  observability: ['core'],
  storage: ['core', 'observability'],
  fetch: ['core', 'observability'],
  llm: ['core', 'observability'],
  'search-index': ['core', 'text', 'observability'],
  extract: ['core', 'text'],
  accounts: ['core', 'observability', 'storage'],
  health: ['core', 'observability'],
  'search-tools': ['core', 'text', 'observability', 'storage'],
  tracking: ['core', 'text', 'observability', 'storage'],
  crawl: ['core', 'text', 'observability', 'storage', 'fetch', 'extract'],
  indexing: ['core', 'text', 'observability', 'storage', 'search-index', 'llm'],
  search: ['core', 'text', 'observability', 'storage', 'search-index', 'llm', 'search-tools'],
  ai: ['core', 'text', 'observability', 'storage', 'llm', 'search'],
  api: [
    'core',
    'observability',
    'accounts',
    'health',
    'search-tools',
    'tracking',
    'crawl',
    'extract',
    'indexing',
    'search',
    'ai',
    'storage',
    'search-index',
    'fetch',
    'llm',
  ],
  jobs: [
    'core',
    'observability',
    'accounts',
    'crawl',
    'indexing',
    'ai',
    'tracking',
    'storage',
    'search-index',
    'fetch',
    'llm',
  ],
  cli: ['core', 'config', 'compose'],
  compose: [
    'core',
    'text',
    'config',
    'observability',
    'storage',
    'search-index',
    'fetch',
    'llm',
    'extract',
    'accounts',
    'health',
    'search-tools',
    'tracking',
    'crawl',
    'indexing',
    'search',
    'ai',
    'api',
    'jobs',
  ],
  workers: ['compose', 'config', 'observability'],
  web: ['core', 'packages'],
  packages: [],
};

/** Folders below a port that implement it; only the composition root and the adapter itself name their files. */
export const ADAPTERS: readonly string[] = [
  'storage/sqlite',
  'search-index/embedded',
  'fetch/gate',
  'fetch/http',
  'fetch/browser',
  'llm/ai-sdk',
];

/** What the parts of a port are made of; the port and its adapters name it, nobody else. */
export const INTERNALS: readonly string[] = ['storage/sql'];

/** A package belongs to one place; `zod` is free. */
export const PACKAGE_OWNERS: Readonly<Record<string, string>> = {
  fastify: 'api',
  '@fastify/compress': 'api',
  '@fastify/static': 'api',
  '@modelcontextprotocol/server': 'api/mcp',
  bullmq: 'jobs',
  ioredis: 'jobs',
  kysely: 'storage',
  'node:sqlite': 'storage/sqlite',
  undici: 'fetch',
  playwright: 'fetch',
  '@crawlee/browser-pool': 'fetch',
  'tough-cookie': 'fetch',
  'ipaddr.js': 'fetch',
  htmlparser2: 'extract',
  cheerio: 'extract',
  domhandler: 'extract',
  'pdf-parse': 'extract',
  '@hyzyla/pdfium': 'extract',
  'word-extractor': 'extract',
  'css-what': 'extract',
  mammoth: 'extract',
  marked: 'extract',
  'iconv-lite': 'extract',
  jschardet: 'extract',
  '@orama/stemmers': 'text',
  'snowball-stemmers': 'text',
  eld: 'text',
  pino: 'observability',
  'prom-client': 'observability',
  yaml: 'config',
  'cron-parser': 'crawl',
  'sanitize-html': 'search-tools',
  ai: 'llm',
  '@ai-sdk/openai-compatible': 'llm',
  preact: 'web',
  'preact-iso': 'web',
  uplot: 'web',
  vite: 'web',
};

/** Words that reach the network, start threads and processes or import what no rule sees, and who may use them. */
export const GUARDED_WORDS: readonly {
  readonly pattern: RegExp;
  readonly allowed: readonly string[];
  readonly why: string;
}[] = [
  {
    pattern:
      /(?<![.\w])fetch\(|\bhttps?\.(?:request|get)\(|\b(?:net|tls)\.connect\(|import \{[^}]*\b(?:connect|createConnection|Socket)\b[^}]*\} from 'node:(?:net|tls)'|from 'node:dgram'/,
    allowed: [
      'packages/client/',
      'fetch/',
      'llm/',
      'search-index/opensearch/',
      'cli/client.ts',
      'workers/',
      'extract/files/no-network.ts',
    ],
    why: 'only fetch/, llm/ and the clients of CLI and packages open sockets',
  },
  {
    pattern: /from 'node:worker_threads'|from 'node:child_process'/,
    allowed: ['extract/files/', 'storage/sqlite/', 'search-index/embedded/', 'search/candidate-thread', 'workers/'],
    why: 'threads and processes start in extract/files, storage/sqlite, search-index/embedded, for candidates and in workers only',
  },
  {
    pattern: /\bimport\(\s*(?!['"`])/,
    allowed: ['llm/ai-sdk/import-package.ts', 'config/config-file.ts', 'web/widget/chunks.ts'],
    why: 'only the provision file, a provider package and the parts of the widget are imported by a computed name',
  },
];
