import { AppError } from '../core/errors.ts';

/** A document as editors know it. */
export type FoundPage = { readonly documentId: string; readonly url: string; readonly title: string };

/** How an editor names a page: by its address, or by the id of its document. */
export type PageName = { readonly url: string } | { readonly documentId: string };

/** Finds pages of an engine, also those that no search sees yet. */
export type PageFinder = {
  /** Scheme, `www.`, a slash at the end and a fragment of an address may differ. */
  find(engineId: number, name: PageName, signal: AbortSignal): Promise<FoundPage | undefined>;
  /** Nearest to an address, a part of one, or words; best first. Its cost is bounded. */
  nearest(
    engineId: number,
    input: { readonly near: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly FoundPage[]>;
};

const SUGGESTED_PAGES = 3;

/** @throws AppError `record.not-found` for what is no document of the engine, with the nearest ones */
export async function requirePage(
  pages: PageFinder,
  { engineId, name, signal }: { readonly engineId: number; readonly name: PageName; readonly signal: AbortSignal },
): Promise<FoundPage> {
  const found = await pages.find(engineId, name, signal);
  if (found !== undefined) return found;
  const near = 'url' in name ? name.url : name.documentId;
  const nearest = await pages.nearest(engineId, { near, limit: SUGGESTED_PAGES }, signal);
  const what = 'url' in name ? `at ${shortened(near)}` : `with the id ${shortened(near)}`;
  const hint =
    nearest.length === 0
      ? 'the engine has no page that is like it'
      : `did you mean ${nearest.map(({ url }) => url).join(' or ')}?`;
  throw new AppError('record.not-found', `There is no document of engine ${engineId} ${what}: ${hint}`);
}

/** Text of the caller is repeated up to 100 characters (contract 1.7). */
function shortened(text: string): string {
  const chars = [...text];
  return chars.length <= 100 ? text : `${chars.slice(0, 99).join('')}…`;
}
