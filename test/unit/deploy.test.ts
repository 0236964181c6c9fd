import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROUTE_TABLE } from '../../src/api/route-table.ts';
import { CONFIG, VARIABLE_NAMES } from '../../src/config/config.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8');

const PAGES = [
  ...['/', '/demo', '/s/help', '/s/help/theme.css', '/assets/index-1a.js'],
  ...['/widget.js', '/widget/0.2.0-1a/widget.js', '/client.js', '/client/0.2.0/client.js', '/openapi.json', '/docs'],
];
const ADMIN = ['/admin', '/admin/sites', '/admin/assets/index.js', '/admin/v1/status'];
const CLOSED = ['/metrics', '/health/ready', '/health/live', '/data/system.db', '/apis', '/administrator', '/docs/x'];
const ROUTES = ROUTE_TABLE.map(({ path }) => path.replaceAll(/:\w+/g, '6'));

const NGINX = [...read('nginx/fossick.conf').matchAll(/location ~ (?<pattern>\S+) \{/g)].map(
  ({ groups }) => new RegExp(groups?.['pattern'] ?? ''),
);
/** Paths with `*` at their end, of the matchers. */
const CADDY = [...read('caddy/Caddyfile').matchAll(/@\w+ path (?<paths>.+)/g)].flatMap(({ groups }) =>
  (groups?.['paths'] ?? '').split(' '),
);
const nginxPasses = (path: string) => NGINX.some((pattern) => pattern.test(path));
const caddyPasses = (path: string) =>
  CADDY.some((known) => (known.endsWith('*') ? path.startsWith(known.slice(0, -1)) : path === known));

describe.each([
  ['nginx', nginxPasses],
  ['Caddy', caddyPasses],
])('the sample of %s', (_name, passes) => {
  test('passes on every route, page and part of the admin web', () => {
    expect([...ROUTES, ...PAGES, ...ADMIN].filter((path) => !passes(path))).toEqual([]);
  });

  test('keeps what is for the machine', () => {
    expect(CLOSED.filter(passes)).toEqual([]);
  });
});

test.each(['nginx/fossick.conf', 'caddy/Caddyfile'])('%s sends answers unbuffered, and tells who asks', (file) => {
  const text = read(file);

  expect(text).toMatch(/proxy_buffering off;|flush_interval -1/);
  expect(text).toMatch(/X-Forwarded-For (?:\$remote_addr|\{remote_host\})/);
  expect(text).toContain('TRUST_PROXY=127.0.0.1');
});

test('nginx waits for an answer, and takes as large a push, as the product does', () => {
  const { AI_TIMEOUT_MS, MAX_DOCUMENTS_BYTES } = CONFIG.parse({});
  const text = read('nginx/fossick.conf');

  expect(Number(/proxy_read_timeout (\d+)s/.exec(text)?.[1]) * 1_000).toBeGreaterThan(AI_TIMEOUT_MS);
  expect(Number(/client_max_body_size (\d+)m/.exec(text)?.[1]) * 2 ** 20).toBeGreaterThanOrEqual(MAX_DOCUMENTS_BYTES);
});

test.each(['systemd/fossick.service', 'systemd/fossick-role@.service'])(
  '%s starts what there is, locked in',
  (file) => {
    const unit = read(file);
    const [program, script = ''] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
    const roles = file.includes('@') ? ['api', 'indexer', 'scheduler', 'crawl'] : ['all'];

    expect(program).toBe('/opt/fossick/node_modules/.bin/node');
    for (const role of roles) {
      const path = script.replace('%i', role).replace('/opt/fossick/', '');
      expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=', 'UMask=0077']) {
      expect(unit.split('\n')).toContain(line);
    }
    const variables = [...unit.matchAll(/(\w+)=/g)]
      .map(([, name = '']) => name)
      .filter((name) => /^[A-Z_]{4,}$/.test(name));
    expect(variables.filter((name) => name !== 'NODE_ENV' && !VARIABLE_NAMES.some((known) => known === name))).toEqual(
      [],
    );
  },
);
