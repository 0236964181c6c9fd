import type { z } from 'zod';
import type { ErrorCode } from '../../core/errors.ts';

/** Sections of the description, in order. */
export const TAGS = [
  ['Search', 'Searches of one engine.'],
  ['Autocomplete', 'Completions while the visitor types.'],
  ['AI Chat', 'Questions, answered from the documents of one engine.'],
  ['AI Summary', 'Hits of a search, summed up.'],
  ['Documents', 'Documents that are pushed into a crawler.'],
  ['Queue URLs', 'URLs that a crawler shall visit now.'],
  ['Public settings', 'What a search page asks for first.'],
  ['Tracking and feedback', 'What visitors did, and what they say.'],
  ['Search tools', 'Banners, rankings, quicklinks and synonyms.'],
  ['Agents', 'Documents as Markdown, and the tools of the Model Context Protocol.'],
  ['Older paths', 'Kept for existing integrations.'],
  ['Health', 'State of the process, and this description.'],
  ['Customers', 'Admin API: customers and their API keys.'],
  ['Engines', 'Admin API: engines, their documents, and why a search finds what it finds.'],
  ['Crawlers', 'Admin API: crawlers, what they are told to do, and tests of settings.'],
  ['Runs', 'Admin API: runs and visits.'],
  ['URLs', 'Admin API: what a crawler knows of URLs, families of URLs and hosts.'],
  ['Removals', 'Admin API: documents that left or wait to leave.'],
  ['Statistics', 'Admin API: what visitors searched, clicked and asked.'],
  [
    'Edited search tools',
    'Admin API: banners, rankings, pins, hidden pages, quicklinks and synonyms, as editors keep them.',
  ],
  ['Golden questions', 'Admin API: questions whose answers are watched.'],
  ['People', 'Admin API: signing in, and who may.'],
  ['Installation', 'Admin API: configuration, state, changes and backups.'],
] as const;
export type Tag = (typeof TAGS)[number][0];

/** What a description says about a route beside its path, credentials and limits. */
export type Operation = {
  /** Unique: generated clients name their functions by it. */
  readonly id: string;
  readonly tag: Tag;
  /** A route of the admin API that needs no credentials. */
  readonly isOpen?: boolean;
  /** One sentence without its dot. */
  readonly summary: string;
  readonly description?: string;
  /** Members of the query string: what the route binds. */
  readonly query?: z.ZodType;
  /** What the route binds; absent = the body is ignored. */
  readonly body?: z.ZodType;
  /** In place of `body`: any part of it is sent, null for what is not there (RFC 7396). */
  readonly patch?: z.ZodType;
  readonly answer: OperationAnswer;
  /** Answers of other statuses: those that are no errors, and errors with a body of their own. */
  readonly alsoAnswers?: readonly OperationAnswer[];
  /** Errors beside those that its credentials, body and path bring. */
  readonly errors?: readonly ErrorCode[];
};

export type OperationAnswer = {
  /** 200 unless it is said. */
  readonly status?: number;
  /** Absent: no body, or one of another `type`. */
  readonly schema?: z.ZodType;
  /** Media type; `application/json` where there is a schema. */
  readonly type?: string;
  /** Another media type of the same answer. */
  readonly alsoType?: string;
  /** One sentence without its dot. */
  readonly about: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** By method and path as in `ROUTE_TABLE`: `GET /api/rankings`. */
export type Operations = Readonly<Record<string, Operation>>;
