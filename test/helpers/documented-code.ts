import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const BLOCK = /```(?<language>[a-z]+)\n(?<code>[\s\S]*?)```(?:\s*```(?:json|text)\n(?<shown>[\s\S]*?)```)?/g;

export type CodeBlock = {
  readonly language: string;
  readonly code: string;
  /** The answer that follows at once. */
  readonly shown: string | undefined;
};

/** The blocks of code of a page of the repository, but for answers that are shown. */
export function codeBlocks(path: string): readonly CodeBlock[] {
  const page = readFileSync(join(ROOT, path), 'utf8');
  return [...page.matchAll(BLOCK)].map(({ groups }) => ({
    language: groups?.['language'] ?? '',
    code: groups?.['code'] ?? '',
    shown: groups?.['shown'],
  }));
}

export type CurlRequest = {
  readonly method: string;
  readonly path: string;
  /** User and password, or the header; undefined: none. */
  readonly authorization: string | undefined;
  readonly body: string | undefined;
};

/** What a curl command sends to `$BASE` or `$FOSSICK_URL`, with `variables` in place of their names. */
export function curlRequest(code: string, variables: Readonly<Record<string, string>> = {}): CurlRequest {
  const text = Object.entries(variables).reduce((shown, [name, value]) => shown.replaceAll(`$${name}`, value), code);
  const body = /-d '([^']*)'/.exec(text)?.[1];
  const user = /-u "([^"]+)"/.exec(text)?.[1];
  const header = /-H "Authorization: ([^"]+)"/.exec(text)?.[1];
  return {
    method: /-X (\w+)/.exec(text)?.[1] ?? (body === undefined ? 'GET' : 'POST'),
    path: /"\$(?:BASE|FOSSICK_URL)([^"]+)"/.exec(text)?.[1] ?? '',
    authorization: user === undefined ? header : `Basic ${Buffer.from(user).toString('base64')}`,
    body,
  };
}
