import { z } from 'zod';
import { MAX_PINS, NOTE, PAGE_MEMBERS, PIN_MEMBERS, RANKING_MEMBERS } from '../../../accounts/tool-settings.ts';
import type { WantedRanking } from '../../../search-tools/edit-rankings.ts';
import type { FoundPage, PageName } from '../../../search-tools/page-finder.ts';
import type { SynonymGroup } from '../../../storage/system/synonym-groups.ts';
import type { Banner, BrokenTargets, HiddenPage, Pin, Quicklink, Ranking } from '../../../storage/system/tools.ts';
import type { Shown } from '../../openapi/json-schema.ts';
import { MANAGED_BY, TIME, timeText } from '../responses.ts';

/** Search tools as editors send and see them: plain members, in place of the casing of contract 10. */

type SentPage = { readonly url?: string | undefined; readonly documentId?: string | undefined };
export const ONE_PAGE = {
  check: ({ url, documentId }: SentPage) => (url === undefined) !== (documentId === undefined),
  rule: { path: ['url'], message: 'name the page here, or by its documentId, and not by both' },
};

export function pageNameOf({ url, documentId = '' }: SentPage): PageName {
  return url === undefined ? { documentId } : { url };
}

export const PAGE_NAME = z.strictObject(PAGE_MEMBERS).refine(ONE_PAGE.check, ONE_PAGE.rule);

export const RANKING = z.strictObject({
  ...RANKING_MEMBERS,
  pins: z.array(z.strictObject(PIN_MEMBERS).refine(ONE_PAGE.check, ONE_PAGE.rule)).max(MAX_PINS).default([]),
});

export function wantedRanking({ pins, ...ranking }: z.infer<typeof RANKING>): WantedRanking {
  return {
    ...ranking,
    pins: pins.map(({ place, hidden, ...page }) => ({ page: pageNameOf(page), place: place ?? undefined, hidden })),
  };
}

export const HIDDEN_PAGE = z.strictObject({ ...PAGE_MEMBERS, note: NOTE }).refine(ONE_PAGE.check, ONE_PAGE.rule);

const FOUND_AT = TIME.nullable().describe('When the daily check first found a target gone; null: it did not.');
const ID = z.int();
const AUDIENCES_SHOWN = z.array(z.unknown()).describe('None: everybody.');

export const PAGE_BODY = z
  .object({ documentId: z.string(), url: z.string(), title: z.string() })
  .meta({ id: 'ToolPage' });

export const PIN_BODY = PAGE_BODY.extend({
  id: ID,
  place: z.int().nullable().describe('From 1; null: the page is hidden.'),
  hidden: z.boolean(),
  broken: z.boolean().describe('Its document is gone, as of the last check.'),
}).meta({ id: 'RankedPage' });

export const RANKING_BODY = z
  .object({
    id: ID,
    engine: ID,
    name: z.string(),
    queries: z.array(z.string()),
    audiences: AUDIENCES_SHOWN,
    pins: z.array(PIN_BODY),
    brokenLinksFoundAt: FOUND_AT,
    managedBy: MANAGED_BY,
  })
  .meta({ id: 'EditedRanking' });

export const BANNER_BODY = z
  .object({
    id: ID,
    engine: ID,
    name: z.string(),
    html: z.string(),
    queries: z.array(z.string()),
    disabled: z.boolean(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    audiences: AUDIENCES_SHOWN,
    engines: z.array(ID).describe('Engines that show it.'),
    frequency: z.unknown(),
    daysOfWeek: z.unknown(),
    cssCode: z.string().nullable(),
    jsonOption: z.string().nullable(),
    editorType: z.string().nullable(),
    activeNow: z.boolean().describe('It is neither disabled nor outside of its time.'),
    brokenLinks: z.array(z.string()),
    brokenLinksFoundAt: FOUND_AT,
    managedBy: MANAGED_BY,
  })
  .meta({ id: 'EditedBanner' });

export const QUICKLINK_BODY = z
  .object({
    id: ID,
    engine: ID,
    url: z.string(),
    queries: z.array(z.string()),
    broken: z.boolean().describe('It leads to a page that was removed, as of the last check.'),
    brokenLinksFoundAt: FOUND_AT,
    managedBy: MANAGED_BY,
  })
  .meta({ id: 'EditedQuicklink' });

export const SYNONYMS_BODY = z
  .object({ id: ID, customer: ID, language: z.string(), words: z.array(z.string()), managedBy: MANAGED_BY })
  .meta({ id: 'EditedSynonymGroup' });

export const HIDDEN_PAGE_BODY = PAGE_BODY.extend({
  id: ID,
  note: z.string().nullable(),
  hiddenAt: TIME,
  broken: z.boolean().describe('There is no such document, as of the last check.'),
  managedBy: MANAGED_BY,
}).meta({ id: 'HiddenPage' });

export function pinBody({ id, rank, shown, page }: Pin, broken: BrokenTargets | undefined): Shown<typeof PIN_BODY> {
  return {
    id,
    documentId: page.documentId,
    url: page.url,
    title: page.name,
    place: shown ? rank : null,
    hidden: !shown,
    broken: broken?.targets.includes(page.documentId) === true,
  };
}

export function rankingBody(ranking: Ranking): Shown<typeof RANKING_BODY> {
  const { id, engineId, name, terms, audiences, pins, broken, managedBy } = ranking;
  return {
    id,
    engine: engineId,
    name,
    queries: terms.map((term) => term.name),
    audiences: [...(audiences ?? [])],
    pins: pins.map((pin) => pinBody(pin, broken)),
    brokenLinksFoundAt: timeText(broken?.foundAt),
    managedBy: managedBy ?? null,
  };
}

export function bannerBody(banner: Banner, isActive: boolean): Shown<typeof BANNER_BODY> {
  return {
    id: banner.id,
    engine: banner.engineId,
    name: banner.name,
    html: banner.html,
    queries: banner.terms.map(({ name }) => name),
    disabled: banner.disabled,
    from: banner.from ?? null,
    to: banner.to ?? null,
    audiences: [...(banner.audiences ?? [])],
    engines: [...banner.engineIds],
    frequency: banner.frequency ?? null,
    daysOfWeek: banner.daysOfWeek ?? null,
    cssCode: banner.cssCode ?? null,
    jsonOption: banner.jsonOption ?? null,
    editorType: banner.editorType ?? null,
    activeNow: isActive,
    brokenLinks: [...(banner.broken?.targets ?? [])],
    brokenLinksFoundAt: timeText(banner.broken?.foundAt),
    managedBy: banner.managedBy ?? null,
  };
}

export function quicklinkBody({
  id,
  engineId,
  url,
  terms,
  broken,
  managedBy,
}: Quicklink): Shown<typeof QUICKLINK_BODY> {
  return {
    id,
    engine: engineId,
    url,
    queries: terms.map(({ name }) => name),
    broken: broken !== undefined,
    brokenLinksFoundAt: timeText(broken?.foundAt),
    managedBy: managedBy ?? null,
  };
}

export function synonymsBody(group: SynonymGroup): Shown<typeof SYNONYMS_BODY> {
  const { id, customerId, language, words, managedBy } = group;
  return { id, customer: customerId, language, words: [...words], managedBy: managedBy ?? null };
}

export function hiddenPageBody(page: HiddenPage): Shown<typeof HIDDEN_PAGE_BODY> {
  const { id, documentId, url, title, note, hiddenAt, broken, managedBy } = page;
  return {
    id,
    documentId,
    url,
    title,
    note: note ?? null,
    hiddenAt: timeText(hiddenAt),
    broken: broken !== undefined,
    managedBy: managedBy ?? null,
  };
}

export function pageBody({ documentId, url, title }: FoundPage): Shown<typeof PAGE_BODY> {
  return { documentId, url, title };
}
