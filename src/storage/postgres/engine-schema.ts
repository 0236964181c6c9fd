import { IDENTITY, type PostgresSchema } from './schema-text.ts';

/**
 * The store of an engine as `ENGINE_MIGRATIONS` leaves it, in the words of PostgreSQL. What was released stays as it is.
 * Ids, patterns and folders may be longer than an ordered index takes: they are found by a hash.
 */
export const ENGINE_SCHEMA: PostgresSchema = {
  baselineVersion: 14,
  baseline: `
  CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL);
  INSERT INTO meta (name, value) VALUES ('store_id', replace(gen_random_uuid()::text, '-', '')),
    ('epoch', replace(gen_random_uuid()::text, '-', ''));
  CREATE TABLE documents (rid ${IDENTITY}, crawler_id bigint NOT NULL, id text NOT NULL, seq bigint NOT NULL,
    write_seq bigint NOT NULL, kind bigint NOT NULL, origin bigint NOT NULL, url_id bigint, language text NOT NULL,
    encoding bigint NOT NULL, fields bytea, structure bytea, content_hash bytea NOT NULL, row_hash bytea NOT NULL,
    deleted bigint NOT NULL DEFAULT 0, created_at bigint NOT NULL, updated_at bigint NOT NULL, title_hash bigint);
  CREATE UNIQUE INDEX documents_key ON documents (crawler_id, md5(id));
  CREATE INDEX documents_id ON documents USING hash (id);
  CREATE UNIQUE INDEX documents_by_seq ON documents (seq);
  CREATE TABLE hosts (id ${IDENTITY}, crawler_id bigint NOT NULL, origin text NOT NULL,
    waiting bigint NOT NULL DEFAULT 0, held_until bigint NOT NULL DEFAULT 0, hold_reason text,
    failures bigint NOT NULL DEFAULT 0, robots bytea, robots_status bigint, robots_at bigint, robots_good_at bigint,
    pace text, health text, lastmod_trust text, not_found text, robots_asked_at bigint,
    holds bigint NOT NULL DEFAULT 0, probe text, believed_until bigint, UNIQUE (crawler_id, origin));
  CREATE INDEX hosts_waiting ON hosts (crawler_id, id) WHERE waiting > 0;
  CREATE TABLE urls (id ${IDENTITY}, crawler_id bigint NOT NULL, host_id bigint NOT NULL, key bigint NOT NULL,
    url text NOT NULL, kind bigint NOT NULL, state bigint NOT NULL, reason bigint NOT NULL, origin bigint NOT NULL,
    found_on bigint, depth bigint NOT NULL, pattern_id bigint, first_seen_at bigint NOT NULL, target_id bigint,
    http_status bigint, etag text, last_modified text, sitemap_lastmod bigint, feed_at bigint,
    extract_version bigint, body_hash bigint, content_hash bigint, similarity bigint, content_chars bigint,
    visits bigint NOT NULL DEFAULT 0, visited_at bigint, changed_at bigint, interval_ms bigint, next_at bigint,
    misses bigint NOT NULL DEFAULT 0, missed_at bigint, link_ring bigint NOT NULL DEFAULT 1, hub bigint,
    rendered_at bigint, asks_password bigint NOT NULL DEFAULT 0, has_end_tag bigint NOT NULL DEFAULT 0,
    unconfirmed bigint NOT NULL DEFAULT 0);
  CREATE UNIQUE INDEX urls_key ON urls (crawler_id, key);
  CREATE INDEX urls_state ON urls (crawler_id, state, reason, id);
  CREATE INDEX urls_next ON urls (crawler_id, next_at, id) WHERE next_at IS NOT NULL;
  CREATE INDEX urls_target ON urls (target_id) WHERE target_id IS NOT NULL;
  CREATE INDEX urls_content ON urls (crawler_id, content_hash) WHERE content_hash IS NOT NULL;
  CREATE TABLE frontier (url_id bigint PRIMARY KEY, crawler_id bigint NOT NULL, activation bigint NOT NULL,
    run_id bigint NOT NULL, host_id bigint NOT NULL, stage bigint NOT NULL, priority bigint NOT NULL,
    due_at bigint NOT NULL, attempts bigint NOT NULL DEFAULT 0, crashes bigint NOT NULL DEFAULT 0,
    flags bigint NOT NULL DEFAULT 0, detail text, lane_id bigint, fence bigint);
  CREATE INDEX frontier_due ON frontier (crawler_id, activation, stage, host_id, priority,
    due_at) WHERE lane_id IS NULL;
  CREATE INDEX frontier_leased ON frontier (lane_id) WHERE lane_id IS NOT NULL;
  CREATE TABLE lanes (id ${IDENTITY}, crawler_id bigint NOT NULL, stage bigint NOT NULL, lane bigint NOT NULL,
    fence bigint NOT NULL, holder text, beats bigint NOT NULL, UNIQUE (crawler_id, stage, lane));
  CREATE TABLE runs (id ${IDENTITY}, crawler_id bigint NOT NULL, activation bigint NOT NULL, kind text NOT NULL,
    state text NOT NULL, started_by text NOT NULL, config_version bigint NOT NULL, created_at bigint NOT NULL,
    started_at bigint, ended_at bigint, plan_cursor bigint, plan_done bigint NOT NULL DEFAULT 0,
    open bigint NOT NULL DEFAULT 0, found bigint NOT NULL DEFAULT 0, visited bigint NOT NULL DEFAULT 0,
    added bigint NOT NULL DEFAULT 0, changed bigint NOT NULL DEFAULT 0, unchanged bigint NOT NULL DEFAULT 0,
    not_modified bigint NOT NULL DEFAULT 0, skipped bigint NOT NULL DEFAULT 0, failed bigint NOT NULL DEFAULT 0,
    rendered bigint NOT NULL DEFAULT 0, files bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0,
    removed bigint NOT NULL DEFAULT 0, removals_held bigint NOT NULL DEFAULT 0, summary text, paused_at bigint,
    paused_ms bigint NOT NULL DEFAULT 0, idle_since bigint, suspected bigint NOT NULL DEFAULT 0);
  CREATE INDEX runs_crawler ON runs (crawler_id, id);
  CREATE TABLE visits (id ${IDENTITY}, crawler_id bigint NOT NULL, url_id bigint, url text, run_id bigint,
    at bigint NOT NULL, outcome bigint NOT NULL, reason bigint NOT NULL, http_status bigint, bytes bigint,
    millis bigint, detail text);
  CREATE INDEX visits_url ON visits (url_id, at);
  CREATE INDEX visits_crawler ON visits (crawler_id, at);
  CREATE TABLE outlinks (url_id bigint PRIMARY KEY, targets bytea NOT NULL, texts bytea);
  CREATE TABLE url_patterns (id ${IDENTITY}, crawler_id bigint NOT NULL, host_id bigint NOT NULL,
    pattern text NOT NULL, template_id bigint, known bigint NOT NULL DEFAULT 0, visited bigint NOT NULL DEFAULT 0,
    informative bigint NOT NULL DEFAULT 0, recent bigint NOT NULL DEFAULT 0, same_text bigint NOT NULL DEFAULT 0,
    quarantine bigint NOT NULL DEFAULT 0, closed_at bigint, close_rule text, seen bytea, examples text, render text,
    interval_ms bigint);
  CREATE UNIQUE INDEX url_patterns_key ON url_patterns (host_id, md5(pattern));
  CREATE INDEX url_patterns_pattern ON url_patterns USING hash (pattern);
  CREATE INDEX url_patterns_crawler ON url_patterns (crawler_id, id);
  CREATE INDEX url_patterns_family ON url_patterns (template_id) WHERE template_id IS NOT NULL;
  CREATE INDEX url_patterns_closed ON url_patterns (crawler_id, id) WHERE closed_at IS NOT NULL;
  CREATE TABLE removals (rid bigint PRIMARY KEY, crawler_id bigint NOT NULL, url_id bigint, run_id bigint,
    class text NOT NULL, cause bigint NOT NULL, state text NOT NULL, first_at bigint NOT NULL, at bigint NOT NULL,
    sightings bigint NOT NULL DEFAULT 0, approved bigint NOT NULL DEFAULT 0, asked text, document bytea);
  CREATE INDEX removals_crawler ON removals (crawler_id, state, at);
  CREATE TABLE unfollowed_links (crawler_id bigint NOT NULL, slot bigint NOT NULL, key bigint NOT NULL,
    reason bigint NOT NULL, found_on bigint NOT NULL, depth bigint NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (crawler_id, slot));
  CREATE INDEX runs_living ON runs (crawler_id, id) WHERE state IN ('planned', 'running', 'paused', 'finishing');
  CREATE INDEX runs_scheduled ON runs (crawler_id, id) WHERE kind <> 'urls';
  CREATE INDEX runs_open ON runs (crawler_id, id) WHERE open > 0;
  CREATE INDEX urls_lists ON urls (crawler_id, found_on) WHERE kind >= 2;
  CREATE INDEX urls_hubs ON urls (crawler_id, id) WHERE hub = 1;
  CREATE INDEX urls_live ON urls (host_id, key) WHERE state = 1;
  CREATE INDEX removals_asked ON removals (crawler_id, rid) WHERE asked IS NOT NULL;
  CREATE TABLE templates (host_id bigint NOT NULL, rank bigint NOT NULL, url_id bigint NOT NULL,
    blocks bytea NOT NULL, PRIMARY KEY (host_id, rank, url_id));
  CREATE TABLE pending_pages (url_id bigint PRIMARY KEY, crawler_id bigint NOT NULL, host_id bigint NOT NULL,
    at bigint NOT NULL, sample_size bigint NOT NULL, source text NOT NULL, body bytea NOT NULL);
  CREATE INDEX kept_pages_crawler ON pending_pages (crawler_id, url_id);
  CREATE TABLE passage_vectors (change ${IDENTITY}, vector_set text NOT NULL, rid bigint NOT NULL,
    seq bigint NOT NULL, context_hash bytea NOT NULL, dimensions bigint NOT NULL, hashes bytea NOT NULL,
    vectors bytea NOT NULL, UNIQUE (vector_set, rid));
  CREATE INDEX passage_vectors_rid ON passage_vectors (rid);
  CREATE TABLE folder_pages (host_id bigint NOT NULL, folder text NOT NULL, rank bigint NOT NULL,
    url_id bigint NOT NULL, blocks bytea NOT NULL);
  CREATE UNIQUE INDEX folder_pages_key ON folder_pages (host_id, md5(folder), rank, url_id);
  CREATE INDEX folder_pages_folder ON folder_pages USING hash (folder);
  CREATE INDEX folder_pages_rank ON folder_pages (host_id, rank, url_id);
  CREATE INDEX kept_pages_host ON pending_pages (host_id, url_id);
  CREATE TABLE write_marks (seq bigint PRIMARY KEY, mark bigint NOT NULL);
  CREATE TABLE damaged_documents (rid bigint PRIMARY KEY);
  CREATE INDEX documents_live ON documents (crawler_id) WHERE deleted = 0;
  CREATE INDEX documents_titles ON documents (crawler_id, title_hash) WHERE deleted = 0 AND title_hash IS NOT NULL;
  CREATE TABLE link_texts (id ${IDENTITY}, crawler_id bigint NOT NULL, target_id bigint NOT NULL,
    text_key bigint NOT NULL, text text NOT NULL, pages bigint NOT NULL DEFAULT 0, UNIQUE (target_id, text_key));
  CREATE INDEX link_texts_text ON link_texts (crawler_id, text_key);
  CREATE TABLE changed_link_targets (url_id bigint PRIMARY KEY, crawler_id bigint NOT NULL, since bigint NOT NULL);
  CREATE INDEX changed_link_targets_due ON changed_link_targets (crawler_id, since);
  CREATE TABLE document_link_texts (rid bigint PRIMARY KEY, texts text NOT NULL);
  `,
  later: [
    // 15: what the heads of pages call them.
    'ALTER TABLE documents ADD COLUMN head_title text;',
  ],
};
