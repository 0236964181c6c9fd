import { AppError } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { Actor } from '../storage/system/accounts.ts';
import type { HiddenPage, ToolStore } from '../storage/system/tools.ts';
import { type PageFinder, type PageName, requirePage } from './page-finder.ts';
import { createTool, replaceTool, type ToolDeps } from './tools.ts';

/** Each is looked up in every search of the engine: 1,000 cost 1 ms (decision 0141). */
const MAX_HIDDEN_PAGES = 1_000;

type HiddenDocument = {
  readonly customerId: number;
  readonly engineId: number;
  readonly documentId: string;
};

/** What hides a document from every visitor of an engine. */
export async function findHiddenPage(
  { systemStore }: { readonly systemStore: Pick<ToolStore, 'listTools'> },
  { documentId, ...engine }: HiddenDocument,
): Promise<HiddenPage | undefined> {
  return (await systemStore.listTools('hidden-page', engine)).find((page) => page.documentId === documentId);
}

type HideInput = {
  readonly engine: Engine;
  readonly actor: Actor;
  readonly page: PageName;
  readonly note: string | undefined;
  readonly signal: AbortSignal;
};

/**
 * Hides a page of an engine for every query and visitor; one that is hidden already gets the note.
 * @throws AppError `record.not-found` for what is no document · `record.conflict` for one too many · `record.managed`
 */
export async function hidePage(
  deps: ToolDeps<'listTools' | 'addTool' | 'replaceTool' | 'findTool'> & { readonly pages: PageFinder },
  { engine, actor, page: name, note, signal }: HideInput,
): Promise<HiddenPage> {
  const { id: engineId, customerId } = engine;
  const page = await requirePage(deps.pages, { engineId, name, signal });
  const hidden = await deps.systemStore.listTools('hidden-page', { customerId, engineId });
  const present = hidden.find(({ documentId }) => documentId === page.documentId);
  if (present === undefined && hidden.length >= MAX_HIDDEN_PAGES) {
    const message = `Engine ${engineId} hides ${MAX_HIDDEN_PAGES} pages: leave pages out by "exclude" of their crawler`;
    throw new AppError('record.conflict', message);
  }
  const draft = { engineId, ...page, note, hiddenAt: present?.hiddenAt ?? deps.clock.now() };
  if (present !== undefined) return replaceTool(deps, { kind: 'hidden-page', present, draft, actor });
  return createTool(deps, { kind: 'hidden-page', customerId, actor, draft });
}
