import { z } from 'zod';
import { DELETED_DOCUMENTS, FLAT_DOCUMENTS, PUSH_RESPONSE } from '../public/content-v3.ts';
import { PATHS, QUEUED_URL } from '../public/crawlers.ts';
import {
  DELETE_QUERY,
  DELETE_RESPONSE,
  DOCUMENT_ROW,
  DOCUMENTS,
  PREDICATES,
  REFRESH_QUERY,
  WRITE_QUERY,
} from '../public/documents.ts';
import { BANNER, QUICKLINK, RANKING, SEARCH_WORD } from '../public/search-tools.ts';
import { CHANGED_GROUP, GROUP_IDS, NEW_GROUP } from '../public/synonyms.ts';
import {
  BANNER_BODY,
  QUICKLINK_BODY,
  RANKING_BODY,
  REMOVED_GROUPS,
  SYNONYM_GROUP_BODY,
} from '../public/tool-responses.ts';
import type { Operation, Operations, Tag } from './operation.ts';

const INDEX = '/api/v4/:customerId/index/:crawlerId/documents';
const CONTENT_V3 = '/api/v3/:customerId/content/:crawlerId';

const DELETED = { about: 'How many were deleted; nothing found is no error', schema: DELETE_RESPONSE };
const QUEUED = { about: 'One row per URL, in order', schema: z.array(QUEUED_URL) };
const ROWS = { about: 'One row per document, in order', schema: z.array(DOCUMENT_ROW) };

/** What servers with an API key ask. */
export const MANAGEMENT_OPERATIONS: Operations = {
  [`PUT ${INDEX}`]: {
    id: 'putDocuments',
    tag: 'Documents',
    summary: 'Creates documents, or replaces them whole',
    query: WRITE_QUERY,
    body: DOCUMENTS,
    answer: ROWS,
  },
  [`PATCH ${INDEX}`]: {
    id: 'patchDocuments',
    tag: 'Documents',
    summary: 'Changes the fields that are sent, and removes those sent as null',
    query: WRITE_QUERY,
    body: DOCUMENTS,
    answer: ROWS,
  },
  [`DELETE ${INDEX}`]: {
    id: 'deleteDocument',
    tag: 'Documents',
    summary: 'Deletes a document',
    query: DELETE_QUERY,
    answer: DELETED,
  },
  [`POST ${INDEX}/bulk-delete`]: {
    id: 'bulkDeleteDocuments',
    tag: 'Documents',
    summary: 'Deletes the documents of the crawler for which all conditions hold',
    query: REFRESH_QUERY,
    body: PREDICATES,
    answer: DELETED,
  },
  ['POST /api/v4/:customerId/crawler/:crawlerId/paths']: {
    id: 'queueUrls',
    tag: 'Queue URLs',
    summary: 'Has URLs visited ahead of scheduled work',
    body: PATHS,
    answer: QUEUED,
  },
  [`POST ${CONTENT_V3}/push`]: {
    id: 'pushDocuments',
    tag: 'Older paths',
    summary: 'Creates documents, or replaces them whole, as flat objects',
    query: REFRESH_QUERY,
    body: FLAT_DOCUMENTS,
    answer: { about: 'What became of each document', schema: PUSH_RESPONSE },
  },
  [`POST ${CONTENT_V3}/delete`]: {
    id: 'deletePushedDocuments',
    tag: 'Older paths',
    summary: 'Deletes documents: objects of id and kind',
    query: REFRESH_QUERY,
    body: DELETED_DOCUMENTS,
    answer: DELETED,
  },
  [`POST ${CONTENT_V3}/pushurls`]: {
    id: 'pushUrls',
    tag: 'Older paths',
    summary: 'Has URLs visited ahead of scheduled work',
    body: PATHS,
    answer: QUEUED,
  },
  ...recordOperations({ kind: 'Banner', path: '/api/banners', request: BANNER, record: BANNER_BODY }),
  ...recordOperations({ kind: 'Ranking', path: '/api/rankings', request: RANKING, record: RANKING_BODY }),
  ...recordOperations({ kind: 'Quicklink', path: '/api/quicklinks', request: QUICKLINK, record: QUICKLINK_BODY }),
  ['GET /api/rankings']: listOperation('listRankings', 'Lists the rankings of the customer', RANKING_BODY),
  ['GET /api/banners/site/:engineId']: listOperation(
    'listBannersOfEngine',
    'Lists the banners of an engine',
    BANNER_BODY,
  ),
  ['GET /api/rankings/site/:engineId']: listOperation(
    'listRankingsOfEngine',
    'Lists the rankings of an engine',
    RANKING_BODY,
  ),
  ['GET /api/engine/:engineId/quicklinks']: listOperation(
    'listQuicklinksOfEngine',
    'Lists the quicklinks of an engine',
    QUICKLINK_BODY,
  ),
  ['GET /api/engine/:engineId/quicklinkterms']: {
    ...listOperation('findQuicklinks', 'Finds the quicklinks whose terms match a word', QUICKLINK_BODY),
    query: SEARCH_WORD,
  },
  ['POST /api/synonymsgroup']: {
    id: 'addSynonymGroup',
    tag: 'Search tools',
    summary: 'Makes a synonym group',
    body: NEW_GROUP,
    answer: { about: 'The stored group', schema: SYNONYM_GROUP_BODY },
  },
  ['PUT /api/synonymsgroup']: {
    id: 'replaceSynonymGroup',
    tag: 'Search tools',
    summary: 'Replaces a synonym group',
    body: CHANGED_GROUP,
    answer: { about: 'The stored group', schema: SYNONYM_GROUP_BODY },
    errors: ['record.not-found'],
  },
  ['DELETE /api/synonymsgroup']: {
    id: 'removeSynonymGroups',
    tag: 'Search tools',
    summary: 'Removes synonym groups, named in the query string or else in the body',
    query: z.object({ groupIds: z.string().optional().describe('Numbers of groups: `1,2`; may be repeated.') }),
    body: GROUP_IDS,
    answer: { about: 'Which were removed', schema: REMOVED_GROUPS },
  },
  ['GET /api/synonymsgroup/:identifier']: {
    id: 'findSynonymGroups',
    tag: 'Search tools',
    summary: 'Shows the group of this number, or the groups of this language',
    answer: {
      about: 'A group, or a list of groups',
      schema: z.union([SYNONYM_GROUP_BODY, z.array(SYNONYM_GROUP_BODY)]),
    },
    errors: ['request.invalid'],
  },
};

type RecordRoutes = {
  /** In the singular, starting upper case. */
  readonly kind: string;
  readonly path: string;
  readonly request: z.ZodType;
  readonly record: z.ZodType;
};

function recordOperations({ kind, path, request, record }: RecordRoutes): Operations {
  const tag: Tag = 'Search tools';
  const noun = kind.toLowerCase();
  const answer = { about: `The stored ${noun}`, schema: record };
  return {
    [`POST ${path}`]: { id: `add${kind}`, tag, summary: `Makes a ${noun}`, body: request, answer },
    [`GET ${path}/:id`]: { id: `find${kind}`, tag, summary: `Shows a ${noun}`, answer },
    [`PUT ${path}/:id`]: { id: `replace${kind}`, tag, summary: `Replaces a ${noun}`, body: request, answer },
    [`DELETE ${path}/:id`]: {
      id: `remove${kind}`,
      tag,
      summary: `Removes a ${noun}`,
      answer: { status: 204, about: 'It is removed' },
    },
  };
}

function listOperation(id: string, summary: string, record: z.ZodType): Operation {
  return { id, tag: 'Search tools', summary, answer: { about: 'All of them', schema: z.array(record) } };
}
