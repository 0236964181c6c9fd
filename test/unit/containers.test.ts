import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLE_NAMES } from '../../src/config/config.ts';
import { lonelyName } from '../../workers/run.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Service = {
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly build: { readonly target: string };
  readonly [setting: string]: unknown;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};

const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
const services = Object.entries(compose.services);
const roles = services.filter(([name]) => name !== 'redis');

type Stage = { readonly from: string; readonly lines: readonly string[] };

/** The targets of the Dockerfile, by name. */
const stages = new Map<string, Stage>();
for (const [, from = '', name = '', steps = ''] of read('Dockerfile')
  .replaceAll('\\\n', '')
  .matchAll(/^FROM (\S+) AS (\S+)\n([\s\S]*?)(?=^FROM |$(?![\s\S]))/gm)) {
  stages.set(name, { from, lines: steps.split('\n') });
}

/** All that is done to the image of a target, from its beginning. */
function historyOf(target: string): readonly string[] {
  const stage = stages.get(target);
  return stage === undefined ? [] : [...historyOf(stage.from), ...stage.lines];
}

const installs = (target: string, name: string) =>
  historyOf(target).some((line) => new RegExp(`apt-get install.* ${name}\\b`).test(line));
const last = (target: string, word: string) => historyOf(target).findLast((line) => line.startsWith(`${word} `));

/** What the image of a target runs. */
const commandOf = (target: string): readonly string[] => JSON.parse(last(target, 'CMD')?.slice(4) ?? '[]');

test('one service runs the whole product, the profile runs every role alone', () => {
  const inProfile = services.filter(([, { profiles }]) => profiles?.includes('split')).map(([name]) => name);

  expect(compose.services['fossick']?.profiles).toBeUndefined();
  expect(inProfile.sort()).toEqual(['api', 'crawl', 'indexer', 'redis', 'scheduler']);
});

test.each(roles)('%s runs its role and is asked whether it is ready', (name, service) => {
  const [program, file = ''] = commandOf(service.build.target);

  expect(program).toBe('node');
  expect(file).toBe(`/app/workers/${name === 'fossick' ? 'all' : name}.ts`);
  expect(service.healthcheck.test.join(' ')).toContain('/health/ready');
  const port = Number(service.environment?.['HEALTH_PORT'] ?? 0) || 8080;
  expect(service.healthcheck.test.join(' ')).toContain(`127.0.0.1:${port}/`);
});

test('every command names a file that exists', () => {
  const files = roles.map(([, { build }]) => (commandOf(build.target)[1] ?? '').replace('/app/', ''));

  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test.each(roles.filter(([name]) => name !== 'fossick'))('%s alone is told where Redis is', (_name, service) => {
  expect(service.environment?.['REDIS_URL']).toBe('redis://redis:6379');
});

test.each(services)('%s has no rights that it does not need, and a volume and a time to stop', (name, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    stop_grace_period: '30s',
    logging: { options: { 'max-size': '10m' } },
  });
  expect(service).toHaveProperty('mem_limit');
  const [data = '', config] = service.volumes;
  expect(compose.volumes).toHaveProperty(data.replace(/:\/data$/, ''));
  expect(config).toBe(name === 'redis' ? undefined : './config:/config:ro');
});

test.each(services)('%s has an image of its own, with Chromium and Redis where it needs them', (name, service) => {
  const { target } = service.build;

  expect(target).toBe(name === 'fossick' ? 'all' : name);
  expect(service['image']).toBe(name === 'fossick' ? 'fossick' : `fossick-${name}`);
  expect(installs(target, 'chromium')).toBe(['all', 'crawl'].includes(target));
  expect(installs(target, 'redis-server')).toBe(['all', 'redis'].includes(target));
  expect(last(target, 'USER')).toBe(target === 'redis' ? 'USER 1000:1000' : 'USER node');
});

test('the last target, which is built when none is named, is the whole product', () => {
  expect([...stages.keys()].at(-1)).toBe('all');
});

test('nothing is published beyond the machine, unless the operator says so', () => {
  const ports = services.flatMap(([, { ports = [] }]) => ports);

  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(port).toMatch(/^\$\{FOSSICK_BIND:-127\.0\.0\.1\}:/);
});

test.each(roles)(
  '%s gets every variable that is set outside, but those of its image',
  (_name, { environment = {} }) => {
    const ofImage = VARIABLE_NAMES.filter((name) => read('Dockerfile').includes(`${name}=`));
    const missing = VARIABLE_NAMES.filter((name) => !(name in environment) && !ofImage.includes(name));

    // Files are found in the folder that is mounted; the port of health is that of the health check.
    expect(missing.filter((name) => !['CONFIG_FILE', 'HEALTH_PORT'].includes(name))).toEqual([]);
    for (const name of ['DATA_DIR', 'PORT', 'CONFIG_FILE']) expect(environment).not.toHaveProperty(name);
  },
);

test('the images copy what exists', () => {
  const copied = read('Dockerfile')
    .split('\n')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1));

  for (const path of copied) expect(existsSync(join(ROOT, path)), path).toBe(true);
});

test('what the build needs is not kept out of the image, what grows on a machine is', () => {
  const allowed = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));

  expect(read('.dockerignore')).toMatch(/^\*$/m);
  for (const path of ['package.json', 'package-lock.json', '.npmrc', 'src', 'workers', 'web', 'packages', 'scripts']) {
    expect(allowed).toContain(`!${path}`);
  }
  for (const path of ['node_modules', 'data', '.git', 'test']) expect(allowed).not.toContain(`!${path}`);
});

test('crawlers of one service have names of their own, although each has the same pid in its container', () => {
  const names = ['4f2a', '9c1b'].map((host) => lonelyName('crawl', { host, pid: 7 }));

  expect(new Set(names).size).toBe(2);
});
