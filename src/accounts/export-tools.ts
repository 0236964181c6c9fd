import type { SynonymGroup } from '../storage/system/synonym-groups.ts';
import type { Banner, HiddenPage, Pin, Quicklink, Ranking } from '../storage/system/tools.ts';

type Members = Readonly<Record<string, unknown>>;

export type EngineToolRecords = {
  readonly rankings: readonly Ranking[];
  readonly banners: readonly Banner[];
  readonly quicklinks: readonly Quicklink[];
  readonly hiddenPages: readonly HiddenPage[];
};

const NO_TOOLS: EngineToolRecords = { rankings: [], banners: [], quicklinks: [], hiddenPages: [] };

/** Tools of an engine as members of a provision file, in the order of their ids; defaults left out. */
export function exportTools(engineId: number, tools: EngineToolRecords = NO_TOOLS): Members {
  const own = <T extends { readonly engineId: number }>(list: readonly T[]) =>
    list.filter((tool) => tool.engineId === engineId);
  return filled({
    rankings: own(tools.rankings).map(exportRanking),
    banners: own(tools.banners).map(exportBanner),
    quicklinks: own(tools.quicklinks).map(({ url, terms }) => ({ url, ...queriesOf(terms) })),
    hiddenPages: own(tools.hiddenPages).map(({ note, ...page }) => filled({ ...exportPage(page), note })),
  });
}

export function exportSynonyms(groups: readonly SynonymGroup[] = []): Members {
  return filled({ synonyms: groups.map(({ language, words }) => ({ language, words })) });
}

function exportRanking({ name, terms, audiences, pins }: Ranking): Members {
  return filled({ name, ...queriesOf(terms), audiences, pins: pins.map(exportPin) });
}

function exportPin({ rank, shown, page }: Pin): Members {
  return {
    ...exportPage({ ...page, title: page.name }),
    ...(shown ? { place: rank } : { hidden: true }),
    ...(!page.searchable && { searchable: false }),
  };
}

function exportPage({ documentId, url, title }: Pick<HiddenPage, 'documentId' | 'url' | 'title'>): Members {
  return {
    url,
    ...(documentId !== url && { documentId }),
    ...(title !== url && title !== '' && { title }),
  };
}

function exportBanner(banner: Banner): Members {
  const { name, html, terms, disabled, from, to, audiences, engineIds, engineId, frequency, daysOfWeek } = banner;
  const isUsual = engineIds.length === 1 && engineIds[0] === engineId;
  return {
    ...filled({ name, html, ...queriesOf(terms), from, to, audiences, frequency, daysOfWeek }),
    ...(disabled && { disabled }),
    ...(!isUsual && { engines: engineIds }),
    ...filled({ cssCode: banner.cssCode, jsonOption: banner.jsonOption, editorType: banner.editorType }),
  };
}

function queriesOf(terms: Ranking['terms']): Members {
  return filled({ queries: terms.map(({ name }) => name) });
}

/** Without what is not there and lists that hold nothing. */
function filled(members: Members): Members {
  const isFilled = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isFilled(value)));
}
