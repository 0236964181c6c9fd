import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openRenderer, renderRequest } from './rendering.ts';
import { startSiteServer } from './site-server.ts';

/** Renders a page in a process of its own and tells what that has done to the process. */
const PACKAGES = createRequire(import.meta.url).cache;
const loaded = (name: string) => Object.keys(PACKAGES).some((path) => path.includes(`/node_modules/${name}/`));
const SHOWN = '<p id="p"></p><script>p.textContent = navigator.userAgent + " " + navigator.webdriver</script>';

/** Ports that this process listens on, as the kernel writes them; a forward proxy would be one. */
function ports(): number {
  const sockets = new Set(readdirSync('/proc/self/fd').map(socketOf));
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/self/net/${name}`, 'utf8').trim().split('\n'));
  const listening = lines.map((line) => line.trim().split(/\s+/)).filter(([, , , state]) => state === '0A');
  return listening.filter(([, , , , , , , , , inode = '']) => sockets.has(inode)).length;
}

function socketOf(descriptor: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1];
  } catch {
    // It was the one that listed the others.
    return undefined;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGABRT'];
const handlers = () => SIGNALS.map((name) => process.listenerCount(name));
const { emit } = process;

/** Listened to before the browser starts, as a role does. */
const stopped = new Promise<void>((resolve) => process.on('SIGTERM', () => resolve()));
await using site = await startSiteServer({ '/': { body: SHOWN } }, { address: '127.0.0.2' });
await using renderer = await openRenderer();
const before = { ports: ports(), handlers: handlers(), crawlee: loaded('@crawlee/browser-pool') };
const page = await renderer.render(renderRequest(`${site.origin}/`, [site.host]));
const after = { ports: ports(), handlers: handlers(), crawlee: loaded('@crawlee/browser-pool') };
process.send?.({
  before,
  after,
  shown: Buffer.from(page.body).toString(),
  userAgent: site.requests[0]?.headers['user-agent'],
  emitsAsBefore: process.emit === emit,
  loadsGotScraping: loaded('got-scraping'),
  files: readdirSync('.'),
});
await stopped;
