import { IDENTITY, type PostgresSchema } from './schema-text.ts';

/** The system store as `SYSTEM_MIGRATIONS` leaves it, in the words of PostgreSQL. What was released stays as it is. */
export const SYSTEM_SCHEMA: PostgresSchema = {
  baselineVersion: 16,
  // Events and exchanges have no number in SQLite but the `rowid` of their table. Ids of alert targets below 10 are those of the environment.
  baseline: `
  CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL);
  INSERT INTO meta (name, value) VALUES ('store_id', replace(gen_random_uuid()::text, '-', '')),
    ('epoch', replace(gen_random_uuid()::text, '-', ''));
  CREATE TABLE customers (id bigint PRIMARY KEY, name text NOT NULL, managed_by text, created_at bigint NOT NULL);
  CREATE TABLE api_keys (id ${IDENTITY}, customer_id bigint NOT NULL, name text NOT NULL, key_sha256 text NOT NULL,
    last4 text NOT NULL, managed_by text, created_at bigint NOT NULL, expires_at bigint, revoked_at bigint,
    scopes text, last_used_day bigint, UNIQUE (customer_id, key_sha256));
  CREATE TABLE engines (id bigint PRIMARY KEY, customer_id bigint NOT NULL, name text NOT NULL,
    language text NOT NULL, settings text NOT NULL, public_settings text NOT NULL, managed_by text,
    created_at bigint NOT NULL);
  CREATE INDEX engines_customer ON engines (customer_id, id);
  CREATE TABLE crawlers (id bigint PRIMARY KEY, engine_id bigint NOT NULL, customer_id bigint NOT NULL,
    name text NOT NULL, active bigint NOT NULL DEFAULT 0, active_since bigint, activation bigint NOT NULL DEFAULT 0,
    config text NOT NULL, config_version bigint NOT NULL DEFAULT 1, managed_by text, created_at bigint NOT NULL);
  CREATE INDEX crawlers_customer ON crawlers (customer_id, id);
  CREATE INDEX crawlers_engine ON crawlers (engine_id, id);
  CREATE TABLE banners (id ${IDENTITY}, customer_id bigint NOT NULL, engine_id bigint NOT NULL,
    record text NOT NULL, managed_by text, broken text);
  CREATE INDEX banners_customer ON banners (customer_id, engine_id, id);
  CREATE TABLE rankings (id ${IDENTITY}, customer_id bigint NOT NULL, engine_id bigint NOT NULL,
    record text NOT NULL, managed_by text, broken text);
  CREATE INDEX rankings_customer ON rankings (customer_id, engine_id, id);
  CREATE TABLE quicklinks (id ${IDENTITY}, customer_id bigint NOT NULL, engine_id bigint NOT NULL,
    record text NOT NULL, managed_by text, broken text);
  CREATE INDEX quicklinks_customer ON quicklinks (customer_id, engine_id, id);
  CREATE TABLE banner_terms (id ${IDENTITY}, parent_id bigint NOT NULL, position bigint NOT NULL,
    value text NOT NULL);
  CREATE INDEX banner_terms_parent ON banner_terms (parent_id, position);
  CREATE TABLE ranking_terms (id ${IDENTITY}, parent_id bigint NOT NULL, position bigint NOT NULL,
    value text NOT NULL);
  CREATE INDEX ranking_terms_parent ON ranking_terms (parent_id, position);
  CREATE TABLE ranking_pages (id ${IDENTITY}, parent_id bigint NOT NULL, position bigint NOT NULL,
    value text NOT NULL);
  CREATE INDEX ranking_pages_parent ON ranking_pages (parent_id, position);
  CREATE TABLE quicklink_terms (id ${IDENTITY}, parent_id bigint NOT NULL, position bigint NOT NULL,
    value text NOT NULL);
  CREATE INDEX quicklink_terms_parent ON quicklink_terms (parent_id, position);
  CREATE TABLE synonym_groups (id ${IDENTITY}, customer_id bigint NOT NULL, language text NOT NULL,
    words text NOT NULL, managed_by text);
  CREATE INDEX synonym_groups_customer ON synonym_groups (customer_id, language, id);
  CREATE TABLE query_events (id text PRIMARY KEY, rowid bigint GENERATED ALWAYS AS IDENTITY,
    engine_id bigint NOT NULL, at bigint NOT NULL, query_id text NOT NULL, text text NOT NULL, result_count bigint,
    fixed_query text, device text NOT NULL, session_id text, query_session_id text, ip text, extra text NOT NULL,
    query text, clicked bigint NOT NULL DEFAULT 0);
  CREATE INDEX query_events_engine ON query_events (engine_id, at);
  CREATE TABLE click_events (id text PRIMARY KEY, rowid bigint GENERATED ALWAYS AS IDENTITY,
    engine_id bigint NOT NULL, at bigint NOT NULL, query_id text NOT NULL, kind text NOT NULL, url text,
    rank bigint, banner_id text, title text, text text, session_id text, ip text, extra text NOT NULL);
  CREATE INDEX click_events_engine ON click_events (engine_id, at);
  CREATE TABLE feedback (id ${IDENTITY}, kind text NOT NULL, key text NOT NULL, engine_id bigint NOT NULL,
    at bigint NOT NULL, rating text, reason text, comment text, language text, matched bigint NOT NULL,
    extra text NOT NULL, UNIQUE (engine_id, kind, key));
  CREATE TABLE answer_clicks (id ${IDENTITY}, engine_id bigint NOT NULL, conversation_id text NOT NULL,
    exchange_id text NOT NULL, url text NOT NULL, at bigint NOT NULL, matched bigint NOT NULL, extra text NOT NULL);
  CREATE TABLE audit_log (id ${IDENTITY}, at bigint NOT NULL, actor text NOT NULL, action text NOT NULL,
    target text NOT NULL, before text, after text);
  CREATE INDEX query_events_search ON query_events (engine_id, query_id, at);
  CREATE INDEX query_events_session ON query_events (engine_id, query_session_id,
    at) WHERE query_session_id IS NOT NULL;
  CREATE INDEX click_events_search ON click_events (engine_id, query_id);
  CREATE INDEX answer_clicks_engine ON answer_clicks (engine_id, at);
  CREATE INDEX feedback_engine ON feedback (engine_id, at);
  CREATE TABLE popular_queries (engine_id bigint NOT NULL, query text NOT NULL, text text NOT NULL,
    text_count bigint NOT NULL, count bigint NOT NULL, result_count bigint, last_at bigint NOT NULL,
    PRIMARY KEY (engine_id, query));
  CREATE INDEX popular_queries_count ON popular_queries (engine_id, count, query);
  CREATE TABLE query_spellings (engine_id bigint NOT NULL, query text NOT NULL, text text NOT NULL,
    count bigint NOT NULL, PRIMARY KEY (engine_id, query, text));
  CREATE TABLE query_pairs (engine_id bigint NOT NULL, query text NOT NULL, other text NOT NULL,
    count bigint NOT NULL, last_at bigint NOT NULL, PRIMARY KEY (engine_id, query, other));
  CREATE INDEX query_pairs_age ON query_pairs (engine_id, last_at);
  CREATE TABLE search_days (engine_id bigint NOT NULL, day bigint NOT NULL, device text NOT NULL,
    searches bigint NOT NULL DEFAULT 0, with_result_count bigint NOT NULL DEFAULT 0,
    without_results bigint NOT NULL DEFAULT 0, clicked bigint NOT NULL DEFAULT 0, clicks bigint NOT NULL DEFAULT 0,
    ranked_clicks bigint NOT NULL DEFAULT 0, rank_sum bigint NOT NULL DEFAULT 0,
    banner_clicks bigint NOT NULL DEFAULT 0, PRIMARY KEY (engine_id, day, device));
  CREATE TABLE query_days (engine_id bigint NOT NULL, day bigint NOT NULL, query text NOT NULL,
    device text NOT NULL, searches bigint NOT NULL DEFAULT 0, with_result_count bigint NOT NULL DEFAULT 0,
    without_results bigint NOT NULL DEFAULT 0, clicked bigint NOT NULL DEFAULT 0, clicks bigint NOT NULL DEFAULT 0,
    ranked_clicks bigint NOT NULL DEFAULT 0, rank_sum bigint NOT NULL DEFAULT 0, PRIMARY KEY (engine_id, day, query,
    device));
  CREATE TABLE conversations (customer_id bigint NOT NULL, engine_id bigint NOT NULL, id text NOT NULL,
    began_at bigint NOT NULL, last_at bigint NOT NULL, busy_until bigint NOT NULL DEFAULT 0, holder text,
    PRIMARY KEY (customer_id, engine_id, id));
  CREATE INDEX conversations_age ON conversations (engine_id, last_at);
  CREATE TABLE exchanges (id text PRIMARY KEY, rowid bigint GENERATED ALWAYS AS IDENTITY,
    customer_id bigint NOT NULL, engine_id bigint NOT NULL, conversation_id text NOT NULL, at bigint NOT NULL,
    kind text NOT NULL, question text NOT NULL, rewritten text, answer text NOT NULL, language text NOT NULL,
    sources text NOT NULL, could_answer bigint NOT NULL, reason text, composer text NOT NULL,
    incomplete bigint NOT NULL, degraded bigint NOT NULL, input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL, tokens_estimated bigint NOT NULL, millis bigint NOT NULL, extra text NOT NULL);
  CREATE INDEX exchanges_conversation ON exchanges (customer_id, engine_id, conversation_id, at);
  CREATE INDEX exchanges_engine ON exchanges (engine_id, at);
  CREATE TABLE answer_days (engine_id bigint NOT NULL, day bigint NOT NULL, answers bigint NOT NULL DEFAULT 0,
    summaries bigint NOT NULL DEFAULT 0, refused bigint NOT NULL DEFAULT 0, input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0, estimated_tokens bigint NOT NULL DEFAULT 0,
    cached bigint NOT NULL DEFAULT 0, PRIMARY KEY (engine_id, day));
  CREATE TABLE golden_questions (id ${IDENTITY}, engine_id bigint NOT NULL, question text NOT NULL,
    must_cite text NOT NULL, must_contain text NOT NULL, created_at bigint NOT NULL);
  CREATE INDEX golden_questions_engine ON golden_questions (engine_id, id);
  CREATE TABLE golden_results (id ${IDENTITY}, engine_id bigint NOT NULL, question_id bigint NOT NULL,
    composer text NOT NULL, is_right bigint NOT NULL, record text NOT NULL);
  CREATE INDEX golden_results_question ON golden_results (question_id, composer, is_right, id);
  CREATE INDEX golden_results_engine ON golden_results (engine_id);
  CREATE TABLE golden_rounds (engine_id bigint PRIMARY KEY, seq bigint NOT NULL, at bigint NOT NULL);
  CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, beats bigint NOT NULL,
    renewed_at bigint NOT NULL);
  CREATE TABLE backups (id ${IDENTITY}, state text NOT NULL, started_by text NOT NULL, asked_at bigint NOT NULL,
    ended_at bigint, file text, bytes bigint, problem text);
  CREATE TABLE host_holds (generation ${IDENTITY}, origin text NOT NULL, url_template text NOT NULL,
    reason text NOT NULL, since bigint NOT NULL, until bigint NOT NULL, asked_until bigint, times bigint NOT NULL,
    confirmed bigint NOT NULL, template_suspects bigint NOT NULL, host_suspects bigint NOT NULL, urls text NOT NULL,
    crawler_id bigint NOT NULL, config_version bigint NOT NULL, UNIQUE (origin, url_template));
  CREATE TABLE clock_jumps (id ${IDENTITY}, seen_at bigint NOT NULL, by_ms bigint NOT NULL);
  CREATE TABLE hidden_pages (id ${IDENTITY}, customer_id bigint NOT NULL, engine_id bigint NOT NULL,
    record text NOT NULL, managed_by text, broken text);
  CREATE INDEX hidden_pages_customer ON hidden_pages (customer_id, engine_id, id);
  CREATE TABLE tool_checks (engine_id bigint PRIMARY KEY, checked_at bigint NOT NULL);
  CREATE TABLE people (id ${IDENTITY}, email text NOT NULL UNIQUE, name text, role text NOT NULL,
    customers text NOT NULL, password_hash text, disabled_at bigint, managed_by text, created_at bigint NOT NULL,
    last_sign_in_at bigint);
  CREATE TABLE sessions (token_sha256 text PRIMARY KEY, person_id bigint NOT NULL, created_at bigint NOT NULL,
    used_at bigint NOT NULL, expires_at bigint NOT NULL);
  CREATE INDEX sessions_person ON sessions (person_id, created_at);
  CREATE TABLE invitations (token_sha256 text PRIMARY KEY, person_id bigint UNIQUE, created_at bigint NOT NULL,
    expires_at bigint NOT NULL);
  CREATE INDEX audit_log_target ON audit_log (target, action, id);
  CREATE TABLE alert_targets (id ${IDENTITY}, name text NOT NULL UNIQUE, settings text NOT NULL, managed_by text,
    created_at bigint NOT NULL);
  CREATE TABLE alert_states (target_id bigint PRIMARY KEY, told text NOT NULL, digest_on text, taken_at bigint,
    failing_since bigint, problem text);
  CREATE INDEX query_events_query ON query_events (engine_id, query, at) WHERE query IS NOT NULL;
  ALTER TABLE alert_targets ALTER COLUMN id RESTART WITH 10;
  `,
  later: [],
};
