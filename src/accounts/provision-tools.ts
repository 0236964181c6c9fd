import { z } from 'zod';
import type { Problem } from '../core/errors.ts';
import type { RecordChange } from '../storage/system/accounts.ts';
import type { SynonymGroup, SynonymStore } from '../storage/system/synonym-groups.ts';
import { draftBanner, draftPin, draftTerms } from '../storage/system/tool-drafts.ts';
import type {
  HiddenPage,
  Pin,
  Ranking,
  ToolDrafts,
  ToolKind,
  ToolRecords,
  ToolStore,
} from '../storage/system/tools.ts';
import type { Step } from './apply-provision.ts';
import { problemAt } from './problems.ts';
import type { WantedCustomer, WantedEngine } from './provision-file.ts';
import { BANNER, MAX_PINS, NOTE, PAGE_MEMBERS, PIN_MEMBERS, QUICKLINK, RANKING_MEMBERS } from './tool-settings.ts';

type NamedPage = { readonly url?: string | undefined; readonly documentId?: string | undefined };
const NAMED = {
  check: ({ url, documentId }: NamedPage) => url !== undefined || documentId !== undefined,
  rule: { path: ['url'], message: 'name the page here, or by its documentId' },
};
const TITLE = z.string().trim().min(1).max(1_000).optional();
const FILE_PIN = z
  .strictObject({ ...PIN_MEMBERS, title: TITLE, searchable: z.boolean().default(true) })
  .refine(NAMED.check, NAMED.rule);
const FILE_RANKING = z.strictObject({ ...RANKING_MEMBERS, pins: z.array(FILE_PIN).max(MAX_PINS).default([]) });
const FILE_HIDDEN_PAGE = z.strictObject({ ...PAGE_MEMBERS, title: TITLE, note: NOTE }).refine(NAMED.check, NAMED.rule);

/** Members of an engine in a file beside its settings. */
export const ENGINE_TOOLS = z.strictObject({
  rankings: z.array(FILE_RANKING).default([]),
  banners: z.array(BANNER).default([]),
  quicklinks: z.array(QUICKLINK).default([]),
  hiddenPages: z.array(FILE_HIDDEN_PAGE).default([]),
});
export type WantedTools = z.infer<typeof ENGINE_TOOLS>;
type FileRanking = WantedTools['rankings'][number];

/** What is known of a page that a file names; undefined: there is no such document. */
export type FindNamedPage = (
  engineId: number,
  name: { readonly url: string } | { readonly documentId: string },
) => Promise<{ readonly documentId: string; readonly url: string; readonly title: string } | undefined>;

type ListStore = Pick<ToolStore, 'listTools'> & Pick<SynonymStore, 'listSynonymGroups'>;
export type ToolPlanDeps = {
  readonly store: ListStore;
  /** Undefined where no index is open: then pages are what the file says. */
  readonly findPage: FindNamedPage | undefined;
  readonly clock: { now(): number };
};

/** Stored tools of a customer. */
type Present = {
  readonly tools: { readonly [Kind in ToolKind]: readonly ToolRecords[Kind][] };
  readonly synonyms: readonly SynonymGroup[];
};

type Planning = ToolPlanDeps & {
  readonly managedBy: string;
  /** Engines that there are before the file is applied. */
  readonly engineIds: ReadonlySet<number>;
  readonly warnings: string[];
};

const KINDS = ['ranking', 'banner', 'quicklink', 'hidden-page'] as const satisfies readonly ToolKind[];
const NOUNS = { ranking: 'ranking', banner: 'banner', quicklink: 'quicklink', 'hidden-page': 'hidden page' } as const;

/** Engines that banners of the file name and that are not their customer's. */
export function foreignBannerProblems(customer: WantedCustomer, ownIds: ReadonlySet<number>): readonly Problem[] {
  return customer.engines.flatMap(({ path, tools }) =>
    tools.banners.flatMap(({ engines = [] }, at) =>
      engines.flatMap((id, position) =>
        ownIds.has(id)
          ? []
          : [
              problemAt(
                [...path, 'banners', at, 'engines', position],
                `engine ${id} is not one of customer ${customer.id}`,
              ),
            ],
      ),
    ),
  );
}

/**
 * The difference between the tools that a file wants and those that are stored. A stored one that is called the same is
 * taken over. What the file named before and names no more is removed while its engine (of synonyms, its customer) is in
 * the file, and released when it is not. Pages that are no documents yet are kept, with a warning.
 */
export async function planTools(
  deps: ToolPlanDeps,
  {
    wanted,
    customerIds,
    engineIds,
    managedBy,
  }: {
    readonly wanted: readonly WantedCustomer[];
    readonly customerIds: readonly number[];
    readonly engineIds: ReadonlySet<number>;
    readonly managedBy: string;
  },
): Promise<{ readonly steps: readonly Step[]; readonly warnings: readonly string[] }> {
  const planning: Planning = { ...deps, managedBy, engineIds, warnings: [] };
  const steps: Step[] = [];
  for (const customerId of new Set([...wanted.map(({ id }) => id), ...customerIds])) {
    const present = customerIds.includes(customerId) ? await readPresent(deps.store, customerId) : NOTHING;
    const customer = wanted.find(({ id }) => id === customerId);
    for (const engine of customer?.engines ?? []) {
      steps.push(...(await planEngineTools(planning, { customerId, engine, present })));
    }
    const named = new Set(customer?.engines.map(({ id }) => id));
    steps.push(...releaseTools(planning, { customerId, present, named }));
    steps.push(...planSynonyms(planning, { customerId, wanted: customer?.synonyms, present: present.synonyms }));
  }
  return { steps, warnings: planning.warnings };
}

const NOTHING: Present = {
  tools: { ranking: [], banner: [], quicklink: [], 'hidden-page': [] },
  synonyms: [],
};

async function readPresent(store: ListStore, customerId: number): Promise<Present> {
  return {
    tools: {
      ranking: await store.listTools('ranking', { customerId }),
      banner: await store.listTools('banner', { customerId }),
      quicklink: await store.listTools('quicklink', { customerId }),
      'hidden-page': await store.listTools('hidden-page', { customerId }),
    },
    synonyms: await store.listSynonymGroups(customerId),
  };
}

type EngineInput = { readonly customerId: number; readonly engine: WantedEngine; readonly present: Present };

async function planEngineTools(planning: Planning, { customerId, engine, present }: EngineInput) {
  const { id: engineId, tools } = engine;
  const plan = <Kind extends ToolKind, Wanted>(
    kind: Kind,
    list: readonly Wanted[],
    { nameOf, draft }: Drafting<Kind, Wanted>,
  ): Promise<readonly Step[]> => {
    const own = present.tools[kind].filter((tool) => tool.engineId === engineId) as readonly ToolRecords[Kind][];
    return planKind(planning, { kind, customerId, engineId, list, own, nameOf, draft });
  };
  return [
    ...(await plan('ranking', tools.rankings, {
      nameOf: ({ name }) => name,
      draft: (ranking, known) => draftRanking(planning, engineId, { ranking, known }),
    })),
    ...(await plan('banner', tools.banners, {
      nameOf: ({ name }) => name,
      draft: async (banner, known) => draftBanner(engineId, banner, known?.terms),
    })),
    ...(await plan('quicklink', tools.quicklinks, {
      nameOf: ({ url }) => url,
      draft: async ({ url, queries }, known) => ({ engineId, url, terms: draftTerms(queries, known?.terms) }),
    })),
    ...(await plan('hidden-page', tools.hiddenPages, {
      nameOf: ({ url, documentId = '' }) => url ?? documentId,
      draft: (page, known) => draftHiddenPage(planning, engineId, { page, known }),
    })),
  ];
}

type Drafting<Kind extends ToolKind, Wanted> = {
  /** Of a wanted or stored one: what it is known by in the file. */
  readonly nameOf: (tool: Wanted | ToolRecords[Kind]) => string;
  readonly draft: (wanted: Wanted, known: ToolRecords[Kind] | undefined) => Promise<ToolDrafts[Kind]>;
};
type KindInput<Kind extends ToolKind, Wanted> = Drafting<Kind, Wanted> & {
  readonly kind: Kind;
  readonly customerId: number;
  readonly engineId: number;
  readonly list: readonly Wanted[];
  readonly own: readonly ToolRecords[Kind][];
};

/** The first of several that are called the same is the first stored one of that name. */
async function planKind<Kind extends ToolKind, Wanted>(
  { managedBy }: Planning,
  { kind, customerId, engineId, list, own, nameOf, draft }: KindInput<Kind, Wanted>,
): Promise<readonly Step[]> {
  const free = takeable(own, managedBy);
  const steps: Step[] = [];
  const recordOf = (name: string) => `${NOUNS[kind]} ${name} of engine ${engineId}`;
  for (const wanted of list) {
    const name = nameOf(wanted);
    const known = free.find((tool) => nameOf(tool) === name);
    if (known !== undefined) free.splice(free.indexOf(known), 1);
    const made = await draft(wanted, known);
    const members = known === undefined ? [] : differing(known, { ...made, managedBy });
    if (known !== undefined && members.length === 0) continue;
    const change: RecordChange = {
      kind: 'put-tool',
      tool: kind,
      customerId,
      draft: made,
      managedBy,
      ...(known !== undefined && { id: known.id }),
    };
    steps.push({
      planned: { action: known === undefined ? 'create' : 'change', record: recordOf(name), members },
      change,
    });
  }
  for (const left of free.filter((tool) => tool.managedBy === managedBy)) {
    steps.push({
      planned: { action: 'remove', record: recordOf(nameOf(left)), members: [] },
      change: { kind: 'remove-tool', tool: kind, customerId, id: left.id },
    });
  }
  return steps;
}

/** Those of the file first, then those of nobody. */
function takeable<T extends { readonly managedBy: string | undefined }>(own: readonly T[], managedBy: string): T[] {
  const free = own.filter((tool) => tool.managedBy === undefined || tool.managedBy === managedBy);
  return free.toSorted((a, b) => Number(b.managedBy === managedBy) - Number(a.managedBy === managedBy));
}

/** Names of members that differ; ids of parts do not count. */
function differing(known: object, wanted: object): readonly string[] {
  const before = comparable(known);
  return Object.entries(comparable(wanted)).flatMap(([name, value]) => (before[name] === value ? [] : [name]));
}

function comparable(tool: object): Readonly<Record<string, string | undefined>> {
  const members = Object.entries(tool).map(([name, value]) => {
    if (name === 'terms') return ['queries', (value as Ranking['terms']).map((term) => term.name)];
    if (name !== 'pins') return [name, value];
    return [name, (value as Ranking['pins']).map(({ rank, shown, page }) => [rank, shown, pageText(page)])];
  });
  return Object.fromEntries(members.map(([name, value]) => [name, JSON.stringify(value)]));
}

function pageText({ documentId, url, name, searchable }: Pin['page']) {
  return [documentId, url, name, searchable];
}

type Released = {
  readonly customerId: number;
  readonly present: Present;
  readonly named: ReadonlySet<number>;
};

function releaseTools({ managedBy }: Planning, { customerId, present, named }: Released): readonly Step[] {
  return KINDS.flatMap((tool) =>
    present.tools[tool]
      .filter((record) => record.managedBy === managedBy && !named.has(record.engineId))
      .map((record): Step => {
        const { id, customerId: _, managedBy: __, broken: ___, ...draft } = record;
        const name = 'name' in record ? record.name : record.url;
        return {
          planned: { action: 'release', record: `${NOUNS[tool]} ${name} of engine ${record.engineId}`, members: [] },
          change: { kind: 'put-tool', tool, customerId, id, draft },
        };
      }),
  );
}

type SynonymInput = {
  readonly customerId: number;
  /** Undefined: the file does not name the customer. */
  readonly wanted: WantedCustomer['synonyms'] | undefined;
  readonly present: readonly SynonymGroup[];
};

/** A group is known by its language and first word. */
function planSynonyms({ managedBy }: Planning, { customerId, wanted, present }: SynonymInput): readonly Step[] {
  const free = takeable(present, managedBy);
  const steps: Step[] = [];
  const recordOf = ({ language, words }: Pick<SynonymGroup, 'language' | 'words'>) =>
    `synonyms of ${words[0]} (${language}) of customer ${customerId}`;
  for (const group of wanted ?? []) {
    const known = free.find((each) => recordOf(each) === recordOf(group));
    if (known !== undefined) free.splice(free.indexOf(known), 1);
    const members = known === undefined ? [] : differing(known, { words: group.words, managedBy });
    if (known !== undefined && members.length === 0) continue;
    const change: RecordChange = {
      kind: 'put-synonyms',
      customerId,
      ...group,
      managedBy,
      ...(known !== undefined && { id: known.id }),
    };
    const action = known === undefined ? 'create' : 'change';
    steps.push({ planned: { action, record: recordOf(group), members }, change });
  }
  const left = free.filter((group) => group.managedBy === managedBy);
  return [
    ...steps,
    ...left.map((group) => dropStep(group, { record: recordOf(group), isInFile: wanted !== undefined })),
  ];
}

/** Who manages a customer no more leaves its groups to others. */
function dropStep(
  group: SynonymGroup,
  { record, isInFile }: { readonly record: string; readonly isInFile: boolean },
): Step {
  const { id, customerId, language, words } = group;
  if (isInFile) {
    return { planned: { action: 'remove', record, members: [] }, change: { kind: 'remove-synonyms', customerId, id } };
  }
  const change: RecordChange = { kind: 'put-synonyms', customerId, id, language, words };
  return { planned: { action: 'release', record, members: [] }, change };
}

type WantedPage = NamedPage & { readonly title?: string | undefined };
type KnownPage = { readonly documentId: string; readonly url: string; readonly title: string };

/** A page as it is known, else as it is found, else as the file says. */
async function resolvePage(
  { findPage, engineIds, warnings }: Planning,
  engineId: number,
  {
    wanted,
    known,
    what,
  }: { readonly wanted: WantedPage; readonly known: KnownPage | undefined; readonly what: string },
): Promise<KnownPage> {
  const { url, documentId, title } = wanted;
  const name = documentId === undefined ? { url: url ?? '' } : { documentId };
  const found = engineIds.has(engineId) ? await findPage?.(engineId, name) : undefined;
  if (found === undefined && findPage !== undefined) {
    const page = 'url' in name ? `at ${name.url}` : `with the id ${name.documentId}`;
    warnings.push(`${what} of engine ${engineId}: there is no document ${page} yet`);
  }
  const id = documentId ?? found?.documentId ?? known?.documentId ?? url ?? '';
  const address = url ?? known?.url ?? found?.url ?? id;
  // What was not there when it was stored has its address for a title.
  const knownTitle = known?.title === known?.url ? undefined : known?.title;
  return { documentId: id, url: address, title: title ?? knownTitle ?? (found?.title || address) };
}

type RankingInput = { readonly ranking: FileRanking; readonly known: Ranking | undefined };

async function draftRanking(planning: Planning, engineId: number, { ranking, known }: RankingInput) {
  const { name, queries, audiences } = ranking;
  const pins: ToolDrafts['ranking']['pins'][number][] = [];
  let place = 0;
  for (const wanted of ranking.pins) {
    const pin = known?.pins.find(({ page }) => isMeant(page, wanted));
    const present = pin && { documentId: pin.page.documentId, url: pin.page.url, title: pin.page.name };
    const page = await resolvePage(planning, engineId, { wanted, known: present, what: `ranking ${name}` });
    if (!wanted.hidden) place = wanted.place ?? place + 1;
    const drafted = draftPin({ engineId, page, place: wanted.hidden ? 'hidden' : place, id: pin?.id });
    pins.push({ ...drafted, page: { ...drafted.page, searchable: wanted.searchable } });
  }
  return {
    engineId,
    name,
    terms: draftTerms(queries, known?.terms),
    audiences: audiences.length === 0 ? undefined : audiences,
    pins,
  };
}

function isMeant(page: NamedPage, wanted: NamedPage): boolean {
  return wanted.documentId === undefined ? page.url === wanted.url : page.documentId === wanted.documentId;
}

type HiddenInput = { readonly page: WantedTools['hiddenPages'][number]; readonly known: HiddenPage | undefined };

async function draftHiddenPage(planning: Planning, engineId: number, { page: wanted, known }: HiddenInput) {
  const page = await resolvePage(planning, engineId, { wanted, known, what: 'hidden page' });
  return {
    engineId,
    ...page,
    note: wanted.note ?? undefined,
    hiddenAt: known?.hiddenAt ?? planning.clock.now(),
  };
}
