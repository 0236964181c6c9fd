import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Page } from './site-server.ts';

/** A file of test/fixtures/files as a site serves it. */
export function servedFile(name: string, type: string): Page {
  const body = readFileSync(new URL(`../fixtures/files/${name}`, import.meta.url));
  return { headers: { 'content-type': type }, body };
}

export const GUIDE = servedFile('delivery-guide.pdf', 'application/pdf');

/** Names in the spool folder, which is made with its first file. */
export function spooled(crawl: { readonly spoolFolder: string }): Promise<string[]> {
  return readdir(crawl.spoolFolder).catch(() => []);
}
