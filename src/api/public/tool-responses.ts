import { z } from 'zod';
import type { SynonymGroup } from '../../storage/system/synonym-groups.ts';
import type { Banner, BrokenTargets, Pin, Quicklink, Ranking } from '../../storage/system/tools.ts';
import type { Shown } from '../openapi/json-schema.ts';

/** Casing of contract 10. */

const INSTANT = z.string().nullable().describe('Date-time in ISO 8601 with its zone.');
const BROKEN_LINKS = {
  brokenLinksFoundAt: INSTANT.describe(
    'When the daily check first found a page or link of it broken; null: it did not.',
  ),
};
const AUDIENCES = z.array(z.unknown()).nullable();

export const BANNER_BODY = z
  .object({
    id: z.int(),
    name: z.string(),
    htmlcode: z.string(),
    websiteid: z.int(),
    bannerterms: z.array(z.object({ id: z.int(), name: z.string(), bannerId: z.int() })),
    isDisabled: z.boolean(),
    from: INSTANT,
    to: INSTANT,
    audiences: AUDIENCES,
    engineIds: z.array(z.int()),
    frequency: z.unknown(),
    daysOfWeek: z.unknown(),
    cssCode: z.string().nullable(),
    jsonOption: z.string().nullable(),
    editorType: z.string().nullable(),
    ...BROKEN_LINKS,
  })
  .meta({ id: 'Banner' });

const PIN_BODY = z.object({
  id: z.int(),
  RankingId: z.int(),
  websiteid: z.int(),
  rank: z.int(),
  showpage: z.boolean(),
  page: z.object({
    id: z.int(),
    name: z.string(),
    pageid: z.string().describe('The document id.'),
    pageurl: z.string(),
    searchable: z.boolean(),
    websiteid: z.int(),
  }),
});

export const RANKING_BODY = z
  .object({
    id: z.int(),
    WebsiteId: z.int(),
    name: z.string(),
    rankingterms: z.array(z.object({ id: z.int(), name: z.string(), rankingId: z.int() })),
    audiences: AUDIENCES,
    ...BROKEN_LINKS,
    pages: z.array(PIN_BODY),
  })
  .meta({ id: 'Ranking' });

export const QUICKLINK_BODY = z
  .object({
    id: z.int(),
    url: z.string(),
    websiteid: z.int(),
    terms: z.array(z.object({ id: z.int(), name: z.string() })),
    ...BROKEN_LINKS,
  })
  .meta({ id: 'Quicklink' });

export const SYNONYM_GROUP_BODY = z
  .object({ groupId: z.int(), words: z.array(z.string()), language: z.string() })
  .meta({ id: 'SynonymGroup' });

/** Numbers of groups, as they were asked for. */
export const REMOVED_GROUPS = z.object({ deleted: z.array(z.int()), notFound: z.array(z.int()) });

export function bannerBody(banner: Banner): Shown<typeof BANNER_BODY> {
  return {
    id: banner.id,
    name: banner.name,
    htmlcode: banner.html,
    websiteid: banner.engineId,
    bannerterms: banner.terms.map(({ id, name }) => ({ id, name, bannerId: banner.id })),
    isDisabled: banner.disabled,
    from: banner.from ?? null,
    to: banner.to ?? null,
    audiences: banner.audiences ?? null,
    engineIds: banner.engineIds,
    frequency: banner.frequency,
    daysOfWeek: banner.daysOfWeek,
    cssCode: banner.cssCode ?? null,
    jsonOption: banner.jsonOption ?? null,
    editorType: banner.editorType ?? null,
    brokenLinksFoundAt: foundAt(banner.broken),
  };
}

export function rankingBody(ranking: Ranking): Shown<typeof RANKING_BODY> {
  return {
    id: ranking.id,
    WebsiteId: ranking.engineId,
    name: ranking.name,
    rankingterms: ranking.terms.map(({ id, name }) => ({ id, name, rankingId: ranking.id })),
    audiences: ranking.audiences ?? null,
    brokenLinksFoundAt: foundAt(ranking.broken),
    pages: ranking.pins.map((pin) => pinBody(ranking.id, pin)),
  };
}

function pinBody(rankingId: number, { id, engineId, rank, shown, page }: Pin): Shown<typeof PIN_BODY> {
  return {
    id,
    RankingId: rankingId,
    websiteid: engineId,
    rank,
    showpage: shown,
    page: {
      id,
      name: page.name,
      pageid: page.documentId,
      pageurl: page.url,
      searchable: page.searchable,
      websiteid: page.engineId,
    },
  };
}

export function quicklinkBody({ id, url, engineId, terms, broken }: Quicklink): Shown<typeof QUICKLINK_BODY> {
  return { id, url, websiteid: engineId, terms, brokenLinksFoundAt: foundAt(broken) };
}

export function synonymGroupBody({ id, words, language }: SynonymGroup): Shown<typeof SYNONYM_GROUP_BODY> {
  return { groupId: id, words, language };
}

function foundAt(broken: BrokenTargets | undefined): string | null {
  return broken === undefined ? null : new Date(broken.foundAt).toISOString();
}
