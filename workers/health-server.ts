import { once } from 'node:events';
import { createServer } from 'node:http';
import { METRICS_TYPE } from '../src/observability/exposition.ts';
import type { Metrics } from '../src/observability/metrics.ts';

/** Health and metrics of a role that runs alone, on a port of its own: `/health/live`, `/health/ready`, `/metrics`. */
export async function startHealthServer(options: {
  readonly host: string;
  readonly port: number;
  readonly metrics: Pick<Metrics, 'print'>;
}): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    if (request.url === '/metrics') send(200, METRICS_TYPE, await options.metrics.print());
    else if (request.url === '/health/live') send(200, 'application/json', '{"status":"live"}');
    else if (request.url === '/health/ready') send(200, 'application/json', '{"status":"ready"}');
    else send(404, 'text/plain', 'not found\n');
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
