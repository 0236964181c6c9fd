import type { Banner, Pin, Quicklink, Ranking, SynonymGroup } from '../../storage/tool-store.ts';

/** Casing of contract 10. `brokenLinksFoundAt` is null as long as nothing has found a broken link. */

export function bannerBody(banner: Banner) {
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
    brokenLinksFoundAt: null,
  };
}

export function rankingBody(ranking: Ranking) {
  return {
    id: ranking.id,
    WebsiteId: ranking.engineId,
    name: ranking.name,
    rankingterms: ranking.terms.map(({ id, name }) => ({ id, name, rankingId: ranking.id })),
    audiences: ranking.audiences ?? null,
    brokenLinksFoundAt: null,
    pages: ranking.pins.map((pin) => pinBody(ranking.id, pin)),
  };
}

function pinBody(rankingId: number, { id, engineId, rank, shown, page }: Pin) {
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

export function quicklinkBody({ id, url, engineId, terms }: Quicklink) {
  return { id, url, websiteid: engineId, terms, brokenLinksFoundAt: null };
}

export function synonymGroupBody({ id, words, language }: SynonymGroup) {
  return { groupId: id, words, language };
}
