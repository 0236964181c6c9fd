import { BANNER, QUICKLINK, SYNONYMS } from '../../accounts/tool-settings.ts';
import {
  BANNER_BODY,
  HIDDEN_PAGE,
  HIDDEN_PAGE_BODY,
  QUICKLINK_BODY,
  RANKING,
  RANKING_BODY,
  SYNONYMS_BODY,
} from '../admin/search-tools/bodies.ts';
import {
  FOUND_PAGES_BODY,
  HIDDEN_PAGE_LIST,
  LISTED_PIN_BODY,
  NEW_PIN,
  PAGE_SEARCH,
  PINNED_BODY,
  RELEASED_BODY,
  REMOVED_PIN,
} from '../admin/search-tools/pins.ts';
import { TOOL_PREVIEW, TOOL_PREVIEW_BODY } from '../admin/search-tools/preview.ts';
import {
  STORED_BANNER_BODY,
  STORED_QUICKLINK_BODY,
  STORED_RANKING_BODY,
  TOOL_CHECK_BODY,
  TOOL_LIST,
} from '../admin/search-tools/records.ts';
import { SYNONYM_LIST } from '../admin/search-tools/synonyms.ts';
import { section } from './admin-operations.ts';
import type { Operations } from './operation.ts';

const tools = section('Edited search tools');

const CHANGES = ['record.managed', 'record.changed'] as const;

/** Search tools as editors keep them, below the prefix of the admin API. */
export const ADMIN_TOOL_OPERATIONS: Operations = {
  'GET /engines/:engineId/rankings': tools.lists('listEngineRankings', 'Lists rankings', {
    query: TOOL_LIST,
    record: RANKING_BODY,
  }),
  'POST /engines/:engineId/rankings': tools.makes('makeRanking', 'Makes a ranking', {
    body: RANKING,
    record: STORED_RANKING_BODY,
  }),
  'GET /engines/:engineId/rankings/:toolId': tools.shows('showRanking', 'Shows a ranking', { record: RANKING_BODY }),
  'PUT /engines/:engineId/rankings/:toolId': tools.shows('setRanking', 'Replaces a ranking', {
    body: RANKING,
    record: STORED_RANKING_BODY,
    errors: CHANGES,
  }),
  'DELETE /engines/:engineId/rankings/:toolId': tools.removes('dropRanking', 'Removes a ranking', { errors: CHANGES }),

  'GET /engines/:engineId/banners': tools.lists('listEngineBanners', 'Lists banners that the engine shows', {
    query: TOOL_LIST,
    record: BANNER_BODY,
  }),
  'POST /engines/:engineId/banners': tools.makes('makeBanner', 'Makes a banner', {
    body: BANNER,
    record: STORED_BANNER_BODY,
    errors: ['auth.forbidden'],
  }),
  'GET /engines/:engineId/banners/:toolId': tools.shows('showBanner', 'Shows a banner', { record: BANNER_BODY }),
  'PUT /engines/:engineId/banners/:toolId': tools.shows('setBanner', 'Replaces a banner', {
    body: BANNER,
    record: STORED_BANNER_BODY,
    errors: [...CHANGES, 'auth.forbidden'],
  }),
  'DELETE /engines/:engineId/banners/:toolId': tools.removes('dropBanner', 'Removes a banner', { errors: CHANGES }),

  'GET /engines/:engineId/quicklinks': tools.lists('listEngineQuicklinks', 'Lists quicklinks', {
    query: TOOL_LIST,
    record: QUICKLINK_BODY,
  }),
  'POST /engines/:engineId/quicklinks': tools.makes('makeQuicklink', 'Makes a quicklink', {
    body: QUICKLINK,
    record: STORED_QUICKLINK_BODY,
  }),
  'GET /engines/:engineId/quicklinks/:toolId': tools.shows('showQuicklink', 'Shows a quicklink', {
    record: QUICKLINK_BODY,
  }),
  'PUT /engines/:engineId/quicklinks/:toolId': tools.shows('setQuicklink', 'Replaces a quicklink', {
    body: QUICKLINK,
    record: STORED_QUICKLINK_BODY,
    errors: CHANGES,
  }),
  'DELETE /engines/:engineId/quicklinks/:toolId': tools.removes('dropQuicklink', 'Removes a quicklink', {
    errors: CHANGES,
  }),

  'GET /customers/:customerId/synonyms': tools.lists('listSynonyms', 'Lists synonym groups of a customer', {
    query: SYNONYM_LIST,
    record: SYNONYMS_BODY,
  }),
  'POST /customers/:customerId/synonyms': tools.makes('makeSynonyms', 'Makes a synonym group', {
    body: SYNONYMS,
    record: SYNONYMS_BODY,
  }),
  'GET /customers/:customerId/synonyms/:groupId': tools.shows('showSynonyms', 'Shows a synonym group', {
    record: SYNONYMS_BODY,
  }),
  'PUT /customers/:customerId/synonyms/:groupId': tools.shows('setSynonyms', 'Replaces a synonym group', {
    body: SYNONYMS,
    record: SYNONYMS_BODY,
    errors: CHANGES,
  }),
  'DELETE /customers/:customerId/synonyms/:groupId': tools.removes('dropSynonyms', 'Removes a synonym group', {
    errors: CHANGES,
  }),

  'GET /engines/:engineId/pins': tools.lists('listPins', 'Lists pages that are pinned or hidden, with their ranking', {
    query: TOOL_LIST,
    record: LISTED_PIN_BODY,
  }),
  'POST /engines/:engineId/pins': tools.makes('placePage', 'Pins a page to a place of a query, or hides it there', {
    description: 'The ranking of exactly this query takes the page, or a new one; pins that have the place move down.',
    body: NEW_PIN,
    record: PINNED_BODY,
    errors: ['record.managed'],
  }),
  'DELETE /engines/:engineId/pins': tools.shows('releasePage', 'Takes a page out of the ranking of a query', {
    query: REMOVED_PIN,
    record: RELEASED_BODY,
    errors: ['record.managed', 'record.conflict'],
  }),
  'GET /engines/:engineId/pages': tools.shows('listNearPages', 'Lists the pages nearest to an address or to words', {
    query: PAGE_SEARCH,
    record: FOUND_PAGES_BODY,
  }),
  'GET /engines/:engineId/hidden-pages': tools.lists('listHiddenPages', 'Lists pages that are hidden for every query', {
    query: HIDDEN_PAGE_LIST,
    record: HIDDEN_PAGE_BODY,
  }),
  'POST /engines/:engineId/hidden-pages': tools.makes('hidePage', 'Hides a page for every query', {
    body: HIDDEN_PAGE,
    record: HIDDEN_PAGE_BODY,
    errors: ['record.managed', 'record.conflict'],
  }),
  'DELETE /engines/:engineId/hidden-pages/:hiddenPageId': tools.removes('showPage', 'Shows a hidden page again', {
    errors: ['record.managed'],
  }),

  'POST /engines/:engineId/preview': tools.shows('previewTools', 'Searches with tools that are not stored', {
    description: 'Never counted; beside each hit stands its place without any tools.',
    body: TOOL_PREVIEW,
    record: TOOL_PREVIEW_BODY,
    errors: ['search.too-costly', 'search.timeout'],
  }),

  'GET /engines/:engineId/tools/broken': tools.shows('listBrokenTools', 'Lists tools whose targets are gone', {
    record: TOOL_CHECK_BODY,
  }),
  'POST /engines/:engineId/tools/check': tools.shows('checkTools', 'Looks for targets that are gone now', {
    record: TOOL_CHECK_BODY,
    errors: ['search.timeout'],
  }),
};
