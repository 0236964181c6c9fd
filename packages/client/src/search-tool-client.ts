import type { ManagementConnection } from './document-client.ts';
import type {
  Banner,
  BannerRequest,
  Quicklink,
  QuicklinkRequest,
  Ranking,
  RankingRequest,
  SynonymGroup,
  SynonymGroupChange,
  SynonymGroupRequest,
} from './generated-types.ts';
import { basicAuthorization, type CallOptions, createTransport, type Transport } from './transport.ts';

/** Records of one kind. A record that was read may be sent back with changes. */
export type RecordClient<Stored, Sent> = {
  /** Sent once: a repetition would make a second record. */
  readonly add: (record: Sent, options?: CallOptions) => Promise<Stored>;
  readonly find: (id: number, options?: CallOptions) => Promise<Stored>;
  readonly replace: (id: number, record: Sent | Stored, options?: CallOptions) => Promise<Stored>;
  /** Sent once: a repetition would not find the record. */
  readonly remove: (id: number, options?: CallOptions) => Promise<void>;
  readonly listOfEngine: (engineId: number, options?: CallOptions) => Promise<readonly Stored[]>;
};

/** All reject with a `FossickError`, or with the reason of the signal. */
export type SearchToolClient = {
  readonly banners: RecordClient<Banner, BannerRequest>;
  readonly rankings: RecordClient<Ranking, RankingRequest> & {
    /** Those of all engines of the customer. */
    readonly list: (options?: CallOptions) => Promise<readonly Ranking[]>;
  };
  readonly quicklinks: RecordClient<Quicklink, QuicklinkRequest> & {
    /** Those with a term that the word matches. */
    readonly listMatching: (engineId: number, word: string, options?: CallOptions) => Promise<readonly Quicklink[]>;
  };
  readonly synonymGroups: {
    /** Sent once: a repetition would make a second group. */
    readonly add: (group: SynonymGroupRequest, options?: CallOptions) => Promise<SynonymGroup>;
    readonly find: (groupId: number, options?: CallOptions) => Promise<SynonymGroup>;
    readonly replace: (group: SynonymGroupChange, options?: CallOptions) => Promise<SynonymGroup>;
    readonly remove: (groupIds: readonly number[], options?: CallOptions) => Promise<RemovedGroups>;
    readonly listOfLanguage: (language: string, options?: CallOptions) => Promise<readonly SynonymGroup[]>;
  };
};

export type RemovedGroups = { readonly deleted: readonly number[]; readonly notFound: readonly number[] };

/** Banners, rankings, quicklinks and synonym groups of one customer. Contract: 10. */
export function createSearchToolClient(connection: ManagementConnection): SearchToolClient {
  const transport = createTransport(connection, basicAuthorization(connection.customerId, connection.apiKey));
  const { ask } = transport;
  const read = <Answer>(path: string, query: Readonly<Record<string, string>>, options?: CallOptions) =>
    ask<Answer>({ method: 'GET', path, query, isRepeatable: true, ...options });
  return {
    banners: recordClient(transport, '/api/banners', (engineId) => `/api/banners/site/${engineId}`),
    rankings: {
      ...recordClient<Ranking, RankingRequest>(
        transport,
        '/api/rankings',
        (engineId) => `/api/rankings/site/${engineId}`,
      ),
      list: (options) => read('/api/rankings', {}, options),
    },
    quicklinks: {
      ...recordClient<Quicklink, QuicklinkRequest>(
        transport,
        '/api/quicklinks',
        (engineId) => `/api/engine/${engineId}/quicklinks`,
      ),
      listMatching: (engineId, searchword, options) =>
        read(`/api/engine/${engineId}/quicklinkterms`, { searchword }, options),
    },
    synonymGroups: {
      add: (body, options) => ask({ method: 'POST', path: GROUPS, body, isRepeatable: false, ...options }),
      find: (groupId, options) => read(`${GROUPS}/${groupId}`, {}, options),
      replace: (body, options) => ask({ method: 'PUT', path: GROUPS, body, isRepeatable: true, ...options }),
      remove: (groupIds, options) =>
        ask({ method: 'DELETE', path: GROUPS, query: { groupIds: groupIds.join() }, isRepeatable: false, ...options }),
      listOfLanguage: (language, options) => read(`${GROUPS}/${encodeURIComponent(language)}`, {}, options),
    },
  };
}

const GROUPS = '/api/synonymsgroup';

function recordClient<Stored, Sent>(
  { ask }: Transport,
  path: string,
  listPath: (engineId: number) => string,
): RecordClient<Stored, Sent> {
  return {
    add: (body, options) => ask({ method: 'POST', path, body, isRepeatable: false, ...options }),
    find: (id, options) => ask({ method: 'GET', path: `${path}/${id}`, isRepeatable: true, ...options }),
    replace: (id, body, options) => ask({ method: 'PUT', path: `${path}/${id}`, body, isRepeatable: true, ...options }),
    remove: (id, options) => ask({ method: 'DELETE', path: `${path}/${id}`, isRepeatable: false, ...options }),
    listOfEngine: (engineId, options) =>
      ask({ method: 'GET', path: listPath(engineId), isRepeatable: true, ...options }),
  };
}
