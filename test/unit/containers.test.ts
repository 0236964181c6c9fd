import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { lonelyName } from '../../workers/run.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Service = {
  readonly command: readonly string[];
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly volumes: readonly string[];
  readonly [setting: string]: unknown;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};

const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
const services = Object.entries(compose.services);
const roles = services.filter(([name]) => name !== 'redis');

test('one service runs the whole product, the profile runs every role alone', () => {
  const inProfile = services.filter(([, { profiles }]) => profiles?.includes('split')).map(([name]) => name);

  expect(compose.services['fossick']?.profiles).toBeUndefined();
  expect(compose.services['fossick']?.command).toEqual(['node', 'workers/all.ts']);
  expect(inProfile.sort()).toEqual(['api', 'crawl', 'indexer', 'redis', 'scheduler']);
});

test.each(roles)('%s runs its role and is asked whether it is ready', (name, service) => {
  const [program, file = ''] = service.command;

  expect(program).toBe('node');
  expect(file).toBe(`workers/${name === 'fossick' ? 'all' : name}.ts`);
  expect(service.healthcheck.test.join(' ')).toContain('/health/ready');
  const port = Number(service.environment?.['HEALTH_PORT'] ?? 0) || 8080;
  expect(service.healthcheck.test.join(' ')).toContain(`127.0.0.1:${port}/`);
});

test('every command names a file that exists', () => {
  const files = roles.map(([, { command }]) => command[1] ?? '');

  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test.each(roles.filter(([name]) => name !== 'fossick'))('%s alone is told where Redis is', (_name, service) => {
  expect(service.environment?.['REDIS_URL']).toBe('redis://redis:6379');
});

test.each(services)('%s has no rights that it does not need, and a volume and a time to stop', (_name, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    stop_grace_period: '30s',
    image: 'fossick',
  });
  expect(service).toHaveProperty('mem_limit');
  expect(service.volumes.map((volume) => volume.split(':')[1])).toEqual(['/data']);
  for (const volume of service.volumes) expect(compose.volumes).toHaveProperty(volume.split(':')[0]!);
});

test('the image copies what exists, ends as a user without rights and runs the whole product', () => {
  const lines = read('Dockerfile').split('\n');
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1));

  for (const path of copied) expect(existsSync(join(ROOT, path)), path).toBe(true);
  expect(lines.findLast((line) => line.startsWith('USER '))).toBe('USER node');
  expect(lines).toContain('CMD ["node", "workers/all.ts"]');
});

test('what the build needs is not kept out of the image, what grows on a machine is', () => {
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));

  expect(read('.dockerignore')).toMatch(/^\*$/m);
  for (const path of ['package.json', 'package-lock.json', '.npmrc', 'src', 'workers', 'web', 'scripts']) {
    expect(allowed).toContain(`!${path}`);
  }
  for (const path of ['node_modules', 'data', '.git', 'test']) expect(allowed).not.toContain(`!${path}`);
});

test('crawlers of one service have names of their own, although each has the same pid in its container', () => {
  const names = ['4f2a', '9c1b'].map((host) => lonelyName('crawl', { host, pid: 7 }));

  expect(new Set(names).size).toBe(2);
});
