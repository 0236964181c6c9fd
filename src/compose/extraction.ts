import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dryRunPageBody } from '../api/admin/url-explanation.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { dryRunPage } from '../crawl/dry-run/dry-run-page.ts';
import { type CrawlRules, compileCrawlRules } from '../crawl/rules/crawl-rules.ts';
import { sourceHeaders } from '../crawl/visit/source-headers.ts';
import type { ExtractInput } from '../extract/extraction.ts';
import { openExtract, openFetching } from './fetching.ts';

export type OneExtraction = {
  readonly config: Config;
  /** An absolute http(s) URL, or the path of a file. */
  readonly source: string;
  /** Settings of a crawler as an operator writes them; its credentials are not used. */
  readonly settings: Readonly<Record<string, unknown>>;
};

/**
 * Reads one page or file as a crawler of these settings would, without stores, robots.txt and pace; with every block
 * and every rule. A URL is fetched through the egress gate, which lets pass the host that it names.
 * @throws AppError `request.invalid` for settings · `record.not-found` without such a file · those of the fetcher
 */
export async function extractOnce({ config, source, settings }: OneExtraction, signal: AbortSignal) {
  await using stack = new AsyncDisposableStack();
  const isUrl = /^https?:\/\//i.test(source);
  const seeds = isUrl ? { seeds: [source] } : {};
  const rules = compileCrawlRules({ config: { ...settings, ...seeds }, configVersion: 0 });
  const folder = stack.use(await temporaryFolder());
  const { extract } = openExtract(stack, { ...config, PARSER_PROCESSES: 1 });
  const { status, ...input } = isUrl
    ? await fetched(stack, { config: { ...config, DATA_DIR: folder.path }, url: source, rules }, signal)
    : { status: null, ...(await localFile(source, rules)) };
  const now = systemClock.now();
  const extraction = await extract({ ...input, settings: rules.extract, now, explain: true }, signal);
  return { url: input.url, httpStatus: status, ...dryRunPageBody(dryRunPage(extraction, rules, 0)) };
}

type Input = Pick<ExtractInput, 'url' | 'body' | 'headers'>;

async function localFile(path: string, { limits }: CrawlRules): Promise<Input> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new AppError('record.not-found', `There is no file ${path}, and it is no http or https URL`, { cause });
  });
  if (!found.isFile()) throw new AppError('request.invalid', `${path} is no file`);
  if (found.size > limits.fileBytes) {
    throw new AppError('request.invalid', `${path} has more than ${limits.fileBytes} bytes, the most that is read`);
  }
  return { url: pathToFileURL(path).href, body: await readFile(path), headers: {} };
}

async function fetched(
  stack: AsyncDisposableStack,
  { config, url, rules }: { readonly config: Config; readonly url: string; readonly rules: CrawlRules },
  signal: AbortSignal,
): Promise<Input & { readonly status: number }> {
  const { fetcher } = openFetching(stack, config);
  const { headers, limits, access } = rules;
  const mayFollow = async () => ({ follow: true }) as const;
  const request = { url, purpose: 'page', headers, validators: undefined, limits, access, mayFollow } as const;
  const resource = await fetcher.fetch(request, signal);
  const { body, status } = resource;
  if (body === undefined) throw new AppError('fetch.unavailable', `${resource.url} answered ${status}, without text`);
  return { url: resource.url, status, headers: sourceHeaders(resource, rules.extract), body: await bytesOf(body) };
}

async function bytesOf(body: Uint8Array | { readonly path: string }): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const bytes = await readFile(body.path);
  await rm(body.path, { force: true });
  return bytes;
}

/** A folder that is removed with all it holds when it is disposed. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'fossick-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
