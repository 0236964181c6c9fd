import type { Generated } from 'kysely';
import type { VectorRow } from '../engine/passage-vectors.ts';
import type { AlertTables } from './alert-tables.ts';
import type { AnswerTables } from './answer-tables.ts';
import type { PersonTables } from './person-tables.ts';
import type { PendingPageRow, SampledPageRow } from './template-tables.ts';
import type { ToolTables } from './tool-tables.ts';

type Nullable<T> = T | null;

export type MetaTable = { name: string; value: string };

/** `system.db`. JSON columns are checked by Zod before they are written. */
export type SystemTables = AlertTables &
  AnswerTables &
  PersonTables &
  ToolTables & {
    meta: MetaTable;
    backups: {
      id: Generated<number>;
      state: string;
      started_by: string;
      asked_at: number;
      ended_at: Generated<Nullable<number>>;
      file: Generated<Nullable<string>>;
      bytes: Generated<Nullable<number>>;
      problem: Generated<Nullable<string>>;
    };
    customers: { id: number; name: string; managed_by: Nullable<string>; created_at: number };
    api_keys: {
      id: Generated<number>;
      customer_id: number;
      name: string;
      key_sha256: string;
      last4: string;
      managed_by: Nullable<string>;
      created_at: number;
      expires_at: Nullable<number>;
      revoked_at: Nullable<number>;
      /** JSON: words; null: all. */
      scopes: Generated<Nullable<string>>;
      last_used_day: Generated<Nullable<number>>;
    };
    engines: {
      id: number;
      customer_id: number;
      name: string;
      language: string;
      settings: string;
      public_settings: string;
      managed_by: Nullable<string>;
      created_at: number;
    };
    crawlers: {
      id: number;
      engine_id: number;
      customer_id: number;
      name: string;
      active: number;
      active_since: Nullable<number>;
      activation: number;
      config: string;
      config_version: number;
      managed_by: Nullable<string>;
      created_at: number;
    };
    query_events: {
      id: string;
      engine_id: number;
      at: number;
      query_id: string;
      text: string;
      result_count: Nullable<number>;
      fixed_query: Nullable<string>;
      device: string;
      session_id: Nullable<string>;
      query_session_id: Nullable<string>;
      ip: Nullable<string>;
      extra: string;
      query: Nullable<string>;
      clicked: Generated<number>;
    };
    click_events: {
      id: string;
      engine_id: number;
      at: number;
      query_id: string;
      kind: string;
      url: Nullable<string>;
      rank: Nullable<number>;
      banner_id: Nullable<string>;
      title: Nullable<string>;
      text: Nullable<string>;
      session_id: Nullable<string>;
      ip: Nullable<string>;
      extra: string;
    };
    feedback: {
      id: Generated<number>;
      kind: string;
      key: string;
      engine_id: number;
      at: number;
      rating: Nullable<string>;
      reason: Nullable<string>;
      comment: Nullable<string>;
      language: Nullable<string>;
      matched: number;
      extra: string;
    };
    answer_clicks: {
      id: Generated<number>;
      engine_id: number;
      conversation_id: string;
      exchange_id: string;
      url: string;
      at: number;
      matched: number;
      extra: string;
    };
    audit_log: {
      id: Generated<number>;
      at: number;
      actor: string;
      action: string;
      target: string;
      before: Nullable<string>;
      after: Nullable<string>;
    };
    clock_jumps: { id: Generated<number>; seen_at: number; by_ms: number };
    leases: { name: string; holder: string; beats: number; renewed_at: number };
    host_holds: {
      generation: Generated<number>;
      origin: string;
      url_template: string;
      reason: string;
      since: number;
      until: number;
      asked_until: Nullable<number>;
      times: number;
      confirmed: number;
      template_suspects: number;
      host_suspects: number;
      urls: string;
      crawler_id: number;
      config_version: number;
    };
    popular_queries: {
      engine_id: number;
      query: string;
      text: string;
      text_count: number;
      count: number;
      result_count: Nullable<number>;
      last_at: number;
    };
    query_spellings: { engine_id: number; query: string; text: string; count: number };
    query_pairs: { engine_id: number; query: string; other: string; count: number; last_at: number };
    search_days: SearchCounterColumns & {
      engine_id: number;
      day: number;
      device: string;
      banner_clicks: Generated<number>;
    };
    query_days: SearchCounterColumns & { engine_id: number; day: number; query: string; device: string };
  };

/** `day` of the tables with sums: days since 1970 in UTC. */
export type SearchCounterColumns = {
  searches: Generated<number>;
  with_result_count: Generated<number>;
  without_results: Generated<number>;
  clicked: Generated<number>;
  clicks: Generated<number>;
  ranked_clicks: Generated<number>;
  rank_sum: Generated<number>;
};

/** `store.db` of one engine. */
export type EngineTables = {
  meta: MetaTable;
  damaged_documents: { rid: number };
  write_marks: { seq: number; mark: number };
  documents: {
    rid: Generated<number>;
    crawler_id: number;
    id: string;
    seq: number;
    write_seq: number;
    kind: number;
    origin: number;
    url_id: Nullable<number>;
    language: string;
    encoding: number;
    fields: Nullable<Uint8Array>;
    structure: Nullable<Uint8Array>;
    content_hash: Uint8Array;
    row_hash: Uint8Array;
    deleted: Generated<number>;
    created_at: number;
    updated_at: number;
    title_hash: Nullable<number>;
    head_title: Nullable<string>;
  };
  hosts: {
    id: Generated<number>;
    crawler_id: number;
    origin: string;
    waiting: Generated<number>;
    held_until: Generated<number>;
    hold_reason: Nullable<string>;
    failures: Generated<number>;
    robots: Nullable<Uint8Array>;
    robots_status: Nullable<number>;
    robots_at: Nullable<number>;
    robots_good_at: Nullable<number>;
    robots_asked_at: Nullable<number>;
    holds: Generated<number>;
    pace: Nullable<string>;
    health: Nullable<string>;
    lastmod_trust: Nullable<string>;
    not_found: Nullable<string>;
    probe: Nullable<string>;
    believed_until: Nullable<number>;
  };
  urls: UrlTable;
  frontier: {
    url_id: number;
    crawler_id: number;
    activation: number;
    run_id: number;
    host_id: number;
    stage: number;
    priority: number;
    due_at: number;
    attempts: Generated<number>;
    crashes: Generated<number>;
    flags: Generated<number>;
    detail: Nullable<string>;
    lane_id: Nullable<number>;
    fence: Nullable<number>;
  };
  lanes: {
    id: Generated<number>;
    crawler_id: number;
    stage: number;
    lane: number;
    fence: number;
    holder: Nullable<string>;
    beats: number;
  };
  runs: RunTable;
  visits: {
    id: Generated<number>;
    crawler_id: number;
    url_id: Nullable<number>;
    url: Nullable<string>;
    run_id: Nullable<number>;
    at: number;
    outcome: number;
    reason: number;
    http_status: Nullable<number>;
    bytes: Nullable<number>;
    millis: Nullable<number>;
    detail: Nullable<string>;
  };
  outlinks: { url_id: number; targets: Uint8Array; texts: Nullable<Uint8Array> };
  link_texts: {
    id: Generated<number>;
    crawler_id: number;
    target_id: number;
    text_key: bigint;
    text: string;
    pages: Generated<number>;
  };
  changed_link_targets: { url_id: number; crawler_id: number; since: number };
  document_link_texts: { rid: number; texts: string };
  templates: SampledPageRow;
  folder_pages: SampledPageRow & { folder: string };
  passage_vectors: Omit<VectorRow, 'change'> & { change: Generated<number>; vector_set: string };
  pending_pages: PendingPageRow;
  unfollowed_links: {
    crawler_id: number;
    slot: number;
    key: bigint;
    reason: number;
    found_on: number;
    depth: number;
    at: number;
  };
  url_patterns: {
    id: Generated<number>;
    crawler_id: number;
    host_id: number;
    pattern: string;
    template_id: Nullable<number>;
    known: Generated<number>;
    visited: Generated<number>;
    informative: Generated<number>;
    recent: Generated<number>;
    same_text: Generated<number>;
    quarantine: Generated<number>;
    closed_at: Nullable<number>;
    close_rule: Nullable<string>;
    seen: Nullable<Uint8Array>;
    examples: Nullable<string>;
    render: Nullable<string>;
    interval_ms: Nullable<number>;
  };
  removals: {
    rid: Generated<number>;
    crawler_id: number;
    url_id: Nullable<number>;
    run_id: Nullable<number>;
    class: string;
    cause: number;
    state: string;
    first_at: number;
    at: number;
    sightings: Generated<number>;
    approved: Generated<number>;
    asked: Nullable<string>;
    document: Nullable<Uint8Array>;
  };
};

/** `key`, `body_hash`, `content_hash` and `similarity` are 64 bits: written as bigint, compared in SQL. */
type UrlTable = {
  id: Generated<number>;
  crawler_id: number;
  host_id: number;
  key: bigint;
  url: string;
  kind: number;
  state: number;
  reason: number;
  origin: number;
  found_on: Nullable<number>;
  depth: number;
  pattern_id: Nullable<number>;
  first_seen_at: number;
  target_id: Nullable<number>;
  http_status: Nullable<number>;
  etag: Nullable<string>;
  last_modified: Nullable<string>;
  sitemap_lastmod: Nullable<number>;
  feed_at: Nullable<number>;
  extract_version: Nullable<number>;
  body_hash: Nullable<bigint>;
  content_hash: Nullable<bigint>;
  similarity: Nullable<bigint>;
  content_chars: Nullable<number>;
  visits: Generated<number>;
  visited_at: Nullable<number>;
  changed_at: Nullable<number>;
  interval_ms: Nullable<number>;
  next_at: Nullable<number>;
  misses: Generated<number>;
  missed_at: Nullable<number>;
  rendered_at: Nullable<number>;
  asks_password: Generated<number>;
  has_end_tag: Generated<number>;
  unconfirmed: Generated<number>;
  link_ring: Generated<number>;
  hub: Nullable<number>;
};

type RunTable = {
  id: Generated<number>;
  crawler_id: number;
  activation: number;
  kind: string;
  state: string;
  started_by: string;
  config_version: number;
  created_at: number;
  started_at: Nullable<number>;
  ended_at: Nullable<number>;
  plan_cursor: Nullable<bigint>;
  plan_done: Generated<number>;
  open: Generated<number>;
  found: Generated<number>;
  visited: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  unchanged: Generated<number>;
  not_modified: Generated<number>;
  skipped: Generated<number>;
  failed: Generated<number>;
  rendered: Generated<number>;
  files: Generated<number>;
  bytes: Generated<number>;
  removed: Generated<number>;
  removals_held: Generated<number>;
  suspected: Generated<number>;
  summary: Nullable<string>;
  paused_at: Nullable<number>;
  paused_ms: Generated<number>;
  idle_since: Nullable<number>;
};
