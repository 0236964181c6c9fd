import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HostPage = {
  /** Address of the product. */
  readonly product: string;
  readonly key: string;
  /** Attributes of the tag beside its address and key, as they stand in it. */
  readonly attributes?: string;
  readonly path?: string;
  readonly body?: string;
  /** Directives that the policy has beside its own. */
  readonly policy?: string;
};

/**
 * A plain page on an origin of its own, with the one tag. Its policy allows scripts, connections and pictures of the
 * product, and nothing else.
 */
export async function serveHostPage({ product, key, ...page }: HostPage) {
  const { attributes = '', path = '/widget.js', body = '', policy = '' } = page;
  const allowed = `script-src ${product}; connect-src ${product}; img-src ${product}`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A page</title>
<script async src="${product}${path}" data-key="${key}" ${attributes}></script></head>
<body><main><h1>A page of somebody else</h1><p>It has <a href="#there">a link</a>.</p>${body}</main></body>
</html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${allowed}; ${policy}`,
  };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
