import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Page, sendPage } from './site-server.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');

/** Signed by itself, for `site.example` and 127.0.0.1. */
export const SITE_CERTIFICATE_PATH = fileURLToPath(new URL('../fixtures/tls/site-certificate.pem', import.meta.url));
export const SITE_CERTIFICATE = fixture('site-certificate.pem');

/** An https site with `SITE_CERTIFICATE`; every path it does not know is 404. */
export async function startSecureSite(pages: Readonly<Record<string, Page>>) {
  /** Server names that clients asked for. */
  const names: (string | false | null)[] = [];
  const paths: string[] = [];
  const server = createServer({ key: fixture('site-key.pem'), cert: SITE_CERTIFICATE }, (request, response) => {
    paths.push(request.url ?? '');
    sendPage(response, pages[request.url ?? ''] ?? { status: 404 });
  });
  server.on('secureConnection', ({ servername }) => names.push(servername));
  // What a client refuses to talk to is no error of the server.
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    names,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
