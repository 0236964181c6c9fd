import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyPluginAsync } from 'fastify';
import { digestOf, last4Of } from '../../src/accounts/api-keys.ts';
import { ENGINE_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { createAccountSnapshot } from '../../src/accounts/engine-snapshot.ts';
import { PUBLIC_DEFAULTS } from '../../src/accounts/public-settings.ts';
import { createApp } from '../../src/api/app.ts';
import { createClientAddress } from '../../src/api/client-address.ts';
import { feedbackRoutes } from '../../src/api/feedback/routes.ts';
import { createMemoryRateStore } from '../../src/api/rate-store.ts';
import { toolRoutes } from '../../src/api/search-tools/routes.ts';
import { synonymRoutes } from '../../src/api/search-tools/synonym-routes.ts';
import { settingsRoutes } from '../../src/api/settings/routes.ts';
import type { ApiSettings } from '../../src/api/settings.ts';
import { trackingRoutes } from '../../src/api/tracking/routes.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { PublicSettings } from '../../src/core/records.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import type { RecordChange } from '../../src/storage/account-store.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { openSystem } from './open-system.ts';

/** Credentials of the fixture. Contract: 12. */
export const SITE_KEY = 'SiteKey Mzo2OlNlYXJjaEtleQ==';
export const BASIC = 'Basic MzprZXktMy1leGFtcGxl';
export const BASIC_OF_4 = `Basic ${Buffer.from('4:key-4-example').toString('base64')}`;

const UNLIMITED = { perSecond: 0, burst: 1 };
const SETTINGS: ApiSettings = {
  region: 'any',
  corsAllowedOrigins: ['*'],
  corsManagement: false,
  publicSettingsAllowBasic: false,
  publicSettingsAllowAnonymous: false,
  trustedProxies: [],
  rates: { search: UNLIMITED, ai: UNLIMITED, tracking: UNLIMITED, management: UNLIMITED },
  maxBodyBytes: 1_048_576,
  maxDocumentsBytes: 20_971_520,
  maxDocumentsPerRequest: 1_000,
  maxPathsPerRequest: 1_000,
  maxResultWindow: 10_000,
  maxQuestionChars: 4_000,
  streamHeaderPrefixes: ['Service'],
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: never;
};
export type Call = {
  readonly auth?: string | undefined;
  /** Sent as JSON; text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ToolsEdge = AsyncDisposable & {
  readonly store: SystemStore;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** An id of a search on the engine. */
  issueQueryId(customerId: number, engineId: number): string;
};

/** Search tools, tracking, feedback and settings over HTTP, on the accounts of the acceptance fixture. */
export async function startToolsEdge(publicSettings: Partial<PublicSettings> = {}): Promise<ToolsEdge> {
  await using stack = new AsyncDisposableStack();
  const { store } = stack.use(await openSystem());
  await store.changeRecords('test', fixture({ ...PUBLIC_DEFAULTS, ...publicSettings }), 0);
  const issued = new Map<string, string>();
  const metrics = createMetrics();
  const deps = {
    systemStore: store,
    accounts: createAccountSnapshot({ store, clock: systemClock }),
    settings: SETTINGS,
    rates: createMemoryRateStore(),
    clock: systemClock,
    log: createLogger({ level: 'silent', name: 'test' }),
    metrics,
    countRateLimited: () => metrics.httpRateLimited.inc({ class: 'management' }),
    clientAddress: createClientAddress([]),
    newId: randomUUID,
    verifyQueryId: (sent: string, { customerId, engineId }: { customerId: number; engineId: number }) =>
      issued.get(sent.toLowerCase()) === `${customerId}:${engineId}` ? sent.toLowerCase() : undefined,
    anonymizeIp: false,
    knowsAnswer: async () => false,
  };
  const plugins = [toolRoutes, synonymRoutes, settingsRoutes, trackingRoutes, feedbackRoutes];
  const app = await createApp(
    deps,
    plugins.map(
      (plugin): FastifyPluginAsync =>
        (scope) =>
          plugin(scope, { deps }) as Promise<void>,
    ),
  );
  stack.defer(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const owned = stack.move();
  return {
    store,
    call: (method, path, call) => send(`http://127.0.0.1:${port}${path}`, method, call),
    issueQueryId: (customerId, engineId) => {
      const id = randomUUID();
      issued.set(id, `${customerId}:${engineId}`);
      return id;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function send(url: string, method: string, { auth, body, headers }: Call = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(auth !== undefined && { Authorization: auth }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : {}) as never };
}

function fixture(publicSettings: PublicSettings): readonly RecordChange[] {
  const aiChat = { ...ENGINE_DEFAULTS, aiEnabled: true, features: ['AiChat'] };
  const engine = (id: number, customerId: number, settings = ENGINE_DEFAULTS): RecordChange => {
    return { kind: 'put-engine', id, customerId, name: `Engine ${id}`, language: 'en', settings, publicSettings };
  };
  return [3, 4].flatMap((id): RecordChange[] => {
    const key = `key-${id}-example`;
    return [
      { kind: 'put-customer', id, name: `Customer ${id}` },
      { kind: 'add-key', customerId: id, name: 'test', sha256: digestOf(key), last4: last4Of(key) },
      ...(id === 3 ? [engine(6, 3, aiChat), engine(7, 3)] : [engine(8, 4)]),
    ];
  });
}
