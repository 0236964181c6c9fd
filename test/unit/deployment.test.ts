import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { CONFIG, metaOf, VARIABLE_NAMES } from '../../src/config/config.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MANIFESTS = 'deploy/kubernetes';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What a variable of the product may be called in the environment. */
const KNOWN: ReadonlySet<string> = new Set(
  VARIABLE_NAMES.flatMap((name) => (metaOf(name).secret === true ? [name, `${name}_FILE`] : [name])),
);
const SECRETS = VARIABLE_NAMES.filter((name) => metaOf(name).secret === true);
const ROLES = ['api', 'crawl', 'indexer', 'scheduler'] as const;

// --- docker-compose.cluster.yml

const SERVICE = z.looseObject({
  extends: z.object({ file: z.string(), service: z.string() }).optional(),
  image: z.string().optional(),
  profiles: z.array(z.string()),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  volumes: z.array(z.string()).default([]),
});
const COMPOSE = z.object({
  services: z.record(z.string(), SERVICE),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean() })),
  volumes: z.record(z.string(), z.null()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
/** `!override` and `!reset` say how Docker Compose joins a value with that of the file before. */
const JOINING = ['!override', '!reset'].map((tag) => ({
  tag,
  collection: 'seq' as const,
  resolve: (list: unknown) => list,
}));
const compose = COMPOSE.parse(parse(read('docker-compose.cluster.yml'), { merge: true, customTags: JOINING }));
const base = z
  .object({ services: z.record(z.string(), z.looseObject({})) })
  .parse(parse(read('docker-compose.yml'), { merge: true }));
const services = Object.entries(compose.services);
const ours = services.filter(([name]) => name === 'fossick' || ROLES.some((role) => role === name));
const foreign = services.filter(([, service]) => service.extends === undefined);

const inProfile = (profile: string) =>
  services
    .filter(([, { profiles }]) => profiles.includes(profile))
    .map(([name]) => name)
    .sort();

test('a profile runs the product on PostgreSQL, another one every role and its servers', () => {
  expect(inProfile('postgres')).toEqual(['fossick', 'postgres']);
  expect(inProfile('cluster')).toEqual([...ROLES, 'opensearch-1', 'opensearch-2', 'postgres', 'proxy', 'redis'].sort());
  expect(compose.services['api']).toMatchObject({ deploy: { replicas: 2 } });
  expect(compose.services['crawl']).toMatchObject({ deploy: { replicas: 2 } });
});

test.each(ours)('%s is the service of docker-compose.yml, and waits for its servers', (name, service) => {
  expect(service.extends).toEqual({ file: 'docker-compose.yml', service: name });
  expect(base.services).toHaveProperty(name);
  const servers = name === 'fossick' ? ['postgres'] : ['opensearch-1', 'opensearch-2', 'postgres', 'redis'];
  expect(Object.keys(service.depends_on).sort()).toEqual(servers);
  for (const { condition } of Object.values(service.depends_on)) expect(condition).toBe('service_healthy');
  expect(service.networks).toEqual(expect.arrayContaining(['default', 'servers']));
});

test.each(ours)('what %s is told are variables of the product with values that it takes', (_name, { environment }) => {
  expect(Object.keys(environment).filter((name) => !KNOWN.has(name))).toEqual([]);
  expect(CONFIG.safeParse(ownValues(environment)).error?.issues).toBeUndefined();
});

test.each(ours)('%s has its secrets as files that are mounted', (_name, { environment, secrets }) => {
  const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));

  expect(files.map(([, path]) => path).sort()).toEqual(secrets.map((secret) => `/run/secrets/${secret}`).sort());
  expect(clearSecrets(environment)).toEqual([]);
});

test.each(foreign)('%s has a version, bounds, a check, and no rights that it does not need', (_name, service) => {
  expect(service.image).toMatch(/:\d/);
  expect(service).toMatchObject({
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: expect.stringMatching(/^\d+[mg]$/),
    healthcheck: { test: expect.arrayContaining(['CMD']), start_period: expect.any(String) },
    logging: { options: { 'max-size': '10m' } },
  });
});

test('servers are reached by the product alone, and only the proxy is published, on this machine', () => {
  const published = services.filter(([, { ports }]) => ports.length > 0);

  expect(compose.networks['servers']?.internal).toBe(true);
  for (const name of ['postgres', 'opensearch-1', 'opensearch-2', 'redis']) {
    expect(compose.services[name]?.networks).toEqual(['servers']);
  }
  expect(published.map(([name]) => name)).toEqual(['proxy']);
  expect(compose.services['proxy']?.ports).toEqual([expect.stringMatching(/^\$\{FOSSICK_BIND:-127\.0\.0\.1\}:/)]);
});

test('volumes and secrets that services name are there, and so are files', () => {
  const volumes = services.flatMap(([, service]) => service.volumes.map((volume) => volume.split(':')[0] ?? ''));
  for (const volume of volumes) {
    if (volume.startsWith('./')) expect(existsSync(join(ROOT, volume)), volume).toBe(true);
    else expect(compose.volumes).toHaveProperty(volume);
  }
  const named = services.flatMap(([, { secrets }]) => secrets);
  expect(Object.keys(compose.secrets).sort()).toEqual([...new Set(named)].sort());
});

test('the secrets of both are made once, in a folder that is closed to others, and stay out of the repository', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'secrets');
  const make = () => execFileSync('sh', [join(ROOT, 'deploy/make-secrets.sh'), path], { encoding: 'utf8' });

  expect(make()).toContain('operator-token');
  const made = contentsOf(path);
  expect(make()).toBe('');

  expect(contentsOf(path)).toEqual(made);
  expect(Object.keys(made)).toEqual(Object.keys(compose.secrets).sort());
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(made['database-url']).toBe(`postgres://fossick:${made['database-password']}@postgres/fossick`);
  const { 'secrets-key': SECRETS_KEY, 'operator-token': OPERATOR_TOKEN, 'database-url': DATABASE_URL } = made;
  expect(CONFIG.safeParse({ SECRETS_KEY, OPERATOR_TOKEN, DATABASE_URL }).success).toBe(true);
  for (const ignored of ['/secrets/', `/${MANIFESTS}/secrets/`]) expect(read('.gitignore')).toContain(ignored);
});

test('the paths that visitors reach are the same behind each proxy', () => {
  const caddy = (path: string) =>
    (/@public path (?<paths>.*)/.exec(read(path))?.groups?.['paths'] ?? '')
      .split(' ')
      .map((each) => each.replace(/\/\*$/, ''));

  const known = caddy('deploy/caddy/Caddyfile').sort();

  expect(known.length).toBeGreaterThan(10);
  expect(caddy('deploy/caddy/Caddyfile.cluster').sort()).toEqual(known);
  expect(ingressPaths().sort()).toEqual([...known, '/admin'].sort());
});

// --- deploy/kubernetes

const PROBE = z.looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const CONTAINER = z.looseObject({
  name: z.string(),
  image: z.string(),
  env: z.array(z.object({ name: z.string() })).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.int() })),
  startupProbe: PROBE,
  readinessProbe: PROBE,
  livenessProbe: PROBE,
  volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
});
const DEPLOYMENT = z.object({
  kind: z.literal('Deployment'),
  spec: z.looseObject({
    replicas: z.int(),
    template: z.object({
      spec: z.looseObject({
        containers: z.tuple([CONTAINER]),
        volumes: z.array(z.looseObject({ name: z.string() })),
        terminationGracePeriodSeconds: z.int(),
      }),
    }),
  }),
});
const KUSTOMIZATION = z.looseObject({
  resources: z.array(z.string()),
  images: z.array(z.object({ name: z.string(), newTag: z.string() })),
  configMapGenerator: z.tuple([z.object({ name: z.string(), literals: z.array(z.string()) })]),
  secretGenerator: z.tuple([z.object({ name: z.string(), files: z.array(z.string()) })]),
});
const kustomization = KUSTOMIZATION.parse(parse(read(`${MANIFESTS}/kustomization.yaml`)));
const objects = kustomization.resources.flatMap((name) =>
  parseAllDocuments(read(`${MANIFESTS}/${name}`)).map(
    (document) => document.toJS() as { readonly kind: string; readonly metadata: { readonly name: string } },
  ),
);
const deployments = objects
  .filter(({ kind }) => kind === 'Deployment')
  .map((object) => [object.metadata.name.replace('fossick-', ''), DEPLOYMENT.parse(object).spec] as const);
const [settings] = kustomization.configMapGenerator;
const told = Object.fromEntries(
  settings.literals.map((literal) => [literal.slice(0, literal.indexOf('=')), literal.slice(literal.indexOf('=') + 1)]),
);

function ingressPaths(): string[] {
  const INGRESS = z.object({
    spec: z.object({
      rules: z.tuple([z.object({ http: z.object({ paths: z.array(z.object({ path: z.string() })) }) })]),
    }),
  });
  const ingress = INGRESS.parse(objects.find(({ kind }) => kind === 'Ingress'));
  return ingress.spec.rules[0].http.paths.map(({ path }) => path);
}

test('every file of the folder is part of it, and every role runs', () => {
  const files = readdirSync(join(ROOT, MANIFESTS)).filter((name) => name.endsWith('.yaml'));

  expect(files.sort()).toEqual(['kustomization.yaml', ...kustomization.resources].sort());
  expect(deployments.map(([name]) => name).sort()).toEqual([...ROLES]);
});

test.each(deployments)('%s runs the image of its role, asked at paths and ports that it serves', (name, spec) => {
  const [container] = spec.template.spec.containers;
  const [port] = container.ports;

  expect(container).toMatchObject({ name, image: `fossick-${name}` });
  expect(kustomization.images.map((image) => image.name)).toContain(container.image);
  expect(read('Dockerfile')).toMatch(new RegExp(`^FROM \\S+ AS ${name}$`, 'm'));
  expect(port?.containerPort).toBe(name === 'api' ? 8080 : 8081);
  expect(container.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: port?.name });
  expect(container.livenessProbe.httpGet).toEqual({ path: '/health/live', port: port?.name });
  expect(container.startupProbe.httpGet).toEqual({ path: '/health/live', port: port?.name });
});

test.each(deployments)(
  '%s has no rights, a file system of its image that it cannot write, and bounds',
  (name, spec) => {
    const { containers, volumes, ...pod } = spec.template.spec;
    const [container] = containers;

    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    // The longest stop takes 25 s.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(25);
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: {
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      },
    });
    const mounted = container.volumeMounts.map((mount) => mount.mountPath).sort();
    const shared = name === 'crawl' ? ['/dev/shm'] : [];
    expect(mounted).toEqual(['/data', ...shared, '/run/secrets/fossick', '/tmp']);
    expect(volumes.map((volume) => volume.name).sort()).toEqual(
      container.volumeMounts.map((mount) => mount.name).sort(),
    );
  },
);

test('the settings are variables of the product with values that it takes, and no secret stands among them', () => {
  expect(Object.keys(told).filter((name) => !KNOWN.has(name))).toEqual([]);
  expect(CONFIG.safeParse(ownValues(told)).error?.issues).toBeUndefined();
  expect(clearSecrets(told)).toEqual([]);
  for (const [, spec] of deployments) {
    const [{ env, envFrom }] = spec.template.spec.containers;
    expect(env).toEqual([]);
    expect(envFrom).toEqual([{ configMapRef: { name: settings.name } }]);
  }
});

test('secrets are files that are mounted from a secret made of files', () => {
  const [secrets] = kustomization.secretGenerator;
  const files = Object.entries(told).filter(([name]) => name.endsWith('_FILE'));

  expect(files.map(([, path]) => path.replace('/run/secrets/fossick', 'secrets')).sort()).toEqual(
    [...secrets.files].sort(),
  );
  for (const [, spec] of deployments) {
    expect(spec.template.spec.volumes).toContainEqual({
      name: 'secrets',
      secret: expect.objectContaining({ secretName: secrets.name }),
    });
  }
  expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

test.each(['api', 'crawl'])('%s keeps somebody at work while machines are emptied', (name) => {
  const budget = objects.find(
    ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === `fossick-${name}`,
  );

  expect(budget).toMatchObject({
    spec: { selector: { matchLabels: { 'app.kubernetes.io/name': `fossick-${name}` } } },
  });
});

test('the address of Redis is that of its service', () => {
  const redis = objects.filter(({ metadata }) => metadata.name === 'fossick-redis');

  expect(redis.map(({ kind }) => kind).sort()).toEqual(['NetworkPolicy', 'Service', 'StatefulSet']);
  expect(told['REDIS_URL']).toBe('redis://fossick-redis:6379');
});

test('images keep the clients of PostgreSQL and OpenSearch, which are optional packages', () => {
  expect(read('Dockerfile')).not.toContain('omit=optional');
});

/** Values of variables themselves, not of files that hold them. */
function ownValues(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith('_FILE')));
}

/** Secrets that stand there themselves; an address without a password is none. */
function clearSecrets(environment: Readonly<Record<string, string>>): readonly string[] {
  return SECRETS.filter((name) => {
    const value = environment[name];
    return value?.split(',').some((part) => URL.parse(part)?.password !== '');
  });
}

function contentsOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
