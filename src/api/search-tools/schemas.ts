import { z } from 'zod';
import { parseDate } from '../../core/dates.ts';
import { isAbsoluteUrl } from '../../core/url.ts';
import type { BannerDraft, QuicklinkDraft, RankingDraft } from '../../storage/tool-store.ts';
import { boolean, integer, listOf, members, text, textLike } from '../binding.ts';

/** Names of contract 10 as callers send them. */

const HIGHEST_ID = 2_147_483_647;
/** What clients of this time send: a date-time whose zone is stated. It is given back as it came. */
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const ENGINE_ALIAS = { engineId: 'websiteid' } as const;

const filledText = textLike(/\S/, 'must be text that is not empty');
const engineId = integer({ min: 1, max: HIGHEST_ID });

/** An id that a body repeats. What cannot be an id is ignored. */
const sentId = z.unknown().transform((sent) => integer({ min: 1, max: HIGHEST_ID }).safeParse(sent).data);

const term = z.preprocess(
  (sent) => (typeof sent === 'string' ? { name: sent } : sent),
  members({ id: sentId, name: filledText }),
);
const terms = listOf(term).default([]);

const audiences = listOf(z.unknown().refine((entry) => entry !== null, 'must not be null')).optional();

export const BANNER = members(
  {
    name: filledText,
    htmlcode: filledText,
    websiteid: engineId,
    bannerterms: terms,
    isDisabled: boolean().default(false),
    from: instant('from').optional(),
    to: instant('to').optional(),
    audiences,
    engineIds: listOf(engineId).optional(),
    frequency: z.unknown(),
    daysOfWeek: z.unknown(),
    cssCode: text().optional(),
    jsonOption: text().optional(),
    editorType: text().optional(),
  },
  ENGINE_ALIAS,
)
  .refine(({ from = '', to = '' }) => !(Date.parse(from) > Date.parse(to)), {
    path: ['from'],
    message: 'must not be after "to"',
  })
  .transform(
    (sent): Sent<BannerDraft> => ({
      sentId: undefined,
      draft: {
        engineId: sent.websiteid,
        name: sent.name,
        html: sent.htmlcode,
        terms: sent.bannerterms,
        disabled: sent.isDisabled,
        from: sent.from,
        to: sent.to,
        audiences: sent.audiences,
        engineIds: sent.engineIds ?? [sent.websiteid],
        frequency: sent.frequency ?? null,
        daysOfWeek: sent.daysOfWeek ?? null,
        cssCode: sent.cssCode,
        jsonOption: sent.jsonOption,
        editorType: sent.editorType,
      },
    }),
  );

const pin = members(
  {
    id: sentId,
    websiteid: engineId.optional(),
    rank: integer({ min: 1, max: HIGHEST_ID }),
    showpage: boolean(),
    page: members(
      {
        name: filledText,
        pageid: filledText,
        pageurl: filledText,
        searchable: boolean().default(true),
        websiteid: engineId.optional(),
      },
      ENGINE_ALIAS,
    ),
  },
  ENGINE_ALIAS,
);

export const RANKING = members(
  { id: sentId, WebsiteId: engineId, name: filledText, rankingterms: terms, audiences, pages: listOf(pin).default([]) },
  { engineId: 'WebsiteId' },
).transform(
  (sent): Sent<RankingDraft> => ({
    sentId: sent.id,
    draft: {
      engineId: sent.WebsiteId,
      name: sent.name,
      terms: sent.rankingterms,
      audiences: sent.audiences,
      pins: sent.pages.map(({ id, websiteid = sent.WebsiteId, rank, showpage, page }) => ({
        id,
        engineId: websiteid,
        rank,
        shown: showpage,
        page: {
          name: page.name,
          documentId: page.pageid,
          url: page.pageurl,
          searchable: page.searchable,
          engineId: page.websiteid ?? sent.WebsiteId,
        },
      })),
    },
  }),
);

export const QUICKLINK = members(
  {
    id: sentId,
    url: filledText.refine(isLink, 'must be an absolute http or https URL, or a path that starts with /'),
    websiteid: engineId,
    terms,
  },
  ENGINE_ALIAS,
).transform(
  (sent): Sent<QuicklinkDraft> => ({
    sentId: sent.id,
    draft: { engineId: sent.websiteid, url: sent.url, terms: sent.terms },
  }),
);

/** `sentId` is what a POST may update. */
export type Sent<Draft> = { readonly sentId: number | undefined; readonly draft: Draft };

/** Parameters of `quicklinkterms`. */
export const SEARCH_WORD = members({ searchword: filledText });

/** ISO 8601 with zone; what names a whole unit means its first instant as `from`, its last as `to`. */
function instant(edge: 'from' | 'to') {
  return text().transform((sent, context): string => {
    const span = parseDate(sent);
    if (span === undefined) {
      context.issues.push({ code: 'custom', input: sent, message: 'must be a date or date-time in ISO 8601' });
      return z.NEVER;
    }
    return ZONED.test(sent) ? sent : new Date(span[edge]).toISOString();
  });
}

/** Absolute or root-relative. Browsers drop tabs and line ends, so `/<tab>/a` would lead to the host `a`. */
function isLink(url: string): boolean {
  return url.startsWith('/') ? !/^\/[\t\r\n]*[/\\]/.test(url) : isAbsoluteUrl(url);
}
