import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { failureOf } from '../../helpers/fetching.ts';
import { openRenderer, renderRequest } from '../../helpers/rendering.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

/** Counts connections and datagrams; answers nothing. */
async function startCanary(address: string) {
  let connections = 0;
  const tcp = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(0, address, resolve));
  const { port } = tcp.address() as { port: number };
  const udp = createSocket('udp4');
  udp.on('message', () => {
    connections++;
  });
  await new Promise<void>((resolve) => udp.bind(port, address, resolve));
  return {
    host: `${address}:${port}`,
    port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      udp.close();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

/** Ways of a page to another server; `$` is the canary's host. */
const WAYS: Readonly<Record<string, string>> = {
  script: '<script src="http://$/script"></script>',
  image: '<img src="http://$/image">',
  stylesheet: '<link rel="stylesheet" href="http://$/style">',
  prefetch: '<link rel="prefetch" href="http://$/prefetch"><link rel="preconnect" href="http://$/">',
  contextHash: '<iframe src="http://$/frame"></iframe>',
  'redirected frame': '<iframe src="/redirect"></iframe>',
  fetch: `<script>fetch('http://$/fetch', { mode: 'no-cors' }).catch(() => {})</script>`,
  beacon: `<script>navigator.sendBeacon('http://$/beacon')</script>`,
  'web socket': `<script>new WebSocket('ws://$/socket'); new WebSocket('wss://$/socket')</script>`,
  'event source': `<script>new EventSource('http://$/events')</script>`,
  'name of loopback': `<script>fetch('http://localhost:' + '$'.split(':')[1] + '/', { mode: 'no-cors' }).catch(() => {})</script>`,
  worker: `<script>new Worker(URL.createObjectURL(new Blob(["fetch('http://$/worker', {mode: 'no-cors'})"])))</script>`,
  'service worker': `<script>navigator.serviceWorker?.register('/sw.js').catch(() => {})</script>`,
  popup: `<script>window.open('http://$/popup')</script>`,
  'peer connection': `<script>
    const peer = new RTCPeerConnection({ iceServers: [{ urls: ['stun:$', 'turn:$?transport=tcp'], username: 'a', credential: 'b' }] });
    peer.createDataChannel('a'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));</script>`,
};

test('no way of a page leads to an address that the gate refuses', async () => {
  // Served from loopback as well: to the browser both are alike, only the gate tells them apart.
  await using canary = await startCanary('127.0.0.1');
  const body = Object.values(WAYS).join('\n').replaceAll('$', canary.host);
  await using site = await startSiteServer(
    {
      '/': { body: `<p>a page that tries everything</p>${body}` },
      '/redirect': redirectTo(`http://${canary.host}/redirected`),
      '/sw.js': {
        headers: { 'content-type': 'text/javascript' },
        body: `addEventListener('install', (e) => e.waitUntil(fetch('http://${canary.host}/sw', { mode: 'no-cors' })))`,
      },
    },
    { address: '127.0.0.2' },
  );
  await using renderer = await openRenderer();
  const page = await renderer.render(
    renderRequest(`${site.origin}/`, [site.host], { settings: { settleMs: 1_000, block: [] } }),
  );

  expect(Buffer.from(page.body).toString()).toContain('a page that tries everything');
  expect(site.count('/redirect')).toBe(1);
  expect(canary.connections()).toBe(0);
});

test('a document that leads to a refused address is refused', async () => {
  await using canary = await startCanary('127.0.0.1');
  await using site = await startSiteServer(
    {
      '/': redirectTo(`http://${canary.host}/`),
      '/script': { body: `<script>location = 'http://${canary.host}/'</script>` },
    },
    { address: '127.0.0.2' },
  );
  await using renderer = await openRenderer();
  for (const path of ['/', '/script']) {
    const failure = await failureOf(renderer.render(renderRequest(`${site.origin}${path}`, [site.host])));
    expect(failure).toMatchObject({ code: 'fetch.blocked-address', reason: 'blocked-address' });
  }
  expect(canary.connections()).toBe(0);
});
