import type { ExtractInput, Extraction } from '../../extract/extraction.ts';
import { type BlockDocumentFrequency, NO_TEMPLATES } from '../../extract/html/template-blocks.ts';
import {
  type HostTemplatePages,
  type PageBytes,
  type PageTemplates,
  SAMPLED_PAGES,
  type TemplateStore,
} from '../../storage/engine/templates.ts';
import { gatherReads } from '../gather-reads.ts';
import {
  type FolderSamples,
  foldersOf,
  MIN_IN_FOLDER,
  openFolderSamples,
  openPageSample,
  type PageSample,
} from './folder-samples.ts';

/** Known pages of a host from which they vote, and from which a choice is for good (extraction 10). */
export const MIN_SAMPLED_PAGES = 10;
export const ENOUGH_SAMPLED_PAGES = 20;
/** Larger pages are not kept to be chosen again: of a host that is hardly known, of a folder that is not. */
const MAX_SAMPLE_BYTES = 1024 * 1024;
const MAX_FOLDER_SAMPLE_BYTES = 256 * 1024;
/** Hosts that are held at a time, while their folders have no more pages than that: 4 MB each, 64 MB together. */
const CACHED_HOSTS = 50;
const CACHED_FOLDER_PAGES = 20_000;

type Page = { readonly urlId: number; readonly hostId: number; readonly url: string };
/** A page that was read: as it came, and what it says. */
type ReadPage = {
  readonly extraction: Pick<Extraction, 'templateBlocks' | 'outlinks' | 'isTitleSettled'>;
  readonly read: ExtractInput | undefined;
};

/** What other known pages say. */
export type SampledPages = {
  /** Of the host. */
  readonly count: number;
  /** Of the host and of each folder of the page, as far as they can vote: more of them may say something else. */
  readonly known: number;
  readonly share: BlockDocumentFrequency;
  /** The smallest folder of the page that is known. */
  readonly folderShare: BlockDocumentFrequency;
};

/** The blocks of the known pages of hosts, as one slice sees them. */
export type HostTemplates = {
  /** The first question about a host reads the store. */
  sampledPagesFor(page: Page): Promise<SampledPages>;
  /**
   * What a visit that stores its page is to record, which counts for the next pages at once; undefined = nothing
   * that would change anything. Of a host that `sampledPagesFor` was asked about.
   */
  record(page: Page, read: ReadPage): PageTemplates | undefined;
};

const NOTHING: HostTemplatePages = { sampled: [], inFolders: [] };

type CachedHost = { readonly pages: PageSample; readonly folders: FolderSamples };

export function openHostTemplates(store: Pick<TemplateStore, 'templatesOf'>): HostTemplates {
  const hosts = new Map<number, CachedHost>();
  const read = gatherReads(store.templatesOf);
  const makeRoom = () => {
    let held = 0;
    for (const { folders } of hosts.values()) held += folders.size();
    for (const [hostId, { folders }] of hosts) {
      if (hosts.size < CACHED_HOSTS && held < CACHED_FOLDER_PAGES) break;
      hosts.delete(hostId);
      held -= folders.size();
    }
  };
  const of = async (hostId: number): Promise<CachedHost> => {
    const known = hosts.get(hostId);
    if (known !== undefined) return known;
    const pages = openPageSample(SAMPLED_PAGES);
    const { sampled, inFolders } = (await read(hostId)) ?? NOTHING;
    for (const { urlId, blocks } of sampled) pages.put(urlId, blocks);
    const folders = openFolderSamples(inFolders);
    makeRoom();
    // Another visit may have been quicker.
    const present = hosts.get(hostId) ?? { pages, folders };
    hosts.set(hostId, present);
    return present;
  };
  return {
    sampledPagesFor: async (page) => sampledPagesOf(await of(page.hostId), page),
    record: (page, { extraction, read }) => {
      const host = hosts.get(page.hostId);
      const sampled = host && sampledPagesOf(host, page);
      const kept = isForGood(host, page, extraction) ? undefined : bytesOf(read, sampled?.count ?? 0);
      const { templateBlocks: blocks } = extraction;
      const { own } = foldersOf(page.url);
      const isOfHost = host?.pages.put(page.urlId, blocks) ?? true;
      const isOfFolder = own !== '/' && (host?.folders.put(page.urlId, own, blocks) ?? true);
      if (!isOfHost && !isOfFolder && kept === undefined) return undefined;
      return {
        blocks,
        folder: isOfFolder ? own : undefined,
        kept: kept && { ...kept, sampleSize: sampled?.known ?? 0 },
      };
    },
  };
}

function sampledPagesOf({ pages, folders }: CachedHost, { urlId, url }: Page): SampledPages {
  const { count, share } = pages.sampledPagesFor(urlId);
  const inFolders = folders.sampledPagesFor(urlId, foldersOf(url));
  const known = count + inFolders.known;
  return { count, known, share: count < MIN_SAMPLED_PAGES ? NO_TEMPLATES : share, folderShare: inFolders.share };
}

/** What the reader of a page is told of other pages. */
export function sharesOf(
  sampled: SampledPages | undefined,
): Pick<ExtractInput, 'templateShare' | 'folderShare' | 'knownPages'> {
  const count = sampled?.count ?? 0;
  return {
    templateShare: sampled?.share,
    folderShare: sampled?.folderShare,
    knownPages: count < MIN_SAMPLED_PAGES ? 0 : count,
  };
}

/** So much is known of the host and of the folders of the page that more would hardly change its text. */
function isForGood(host: CachedHost | undefined, page: Page, extraction: ReadPage['extraction']): boolean {
  const count = host?.pages.sampledPagesFor(page.urlId).count ?? 0;
  if (host === undefined || count < ENOUGH_SAMPLED_PAGES) return false;
  // A text that a twentieth of the pages have is seen on one of twenty.
  if (count < SAMPLED_PAGES && !extraction.isTitleSettled) return false;
  const { own, led } = foldersOf(page.url);
  if (own !== '/' && !host.folders.isKnown(own, page.urlId)) return false;
  return led === undefined || host.folders.isKnown(led, page.urlId) || !leadsInto(led, page, extraction);
}

/** The page links to so many of the folder that is named like it that these will be known: its own menu is theirs. */
function leadsInto(led: string, { url }: Page, { outlinks }: ReadPage['extraction']): boolean {
  const within = new URL(led, url).href;
  let count = 0;
  for (const outlink of outlinks) if (outlink.url.startsWith(within) && ++count === MIN_IN_FOLDER) return true;
  return false;
}

type HashedBlocks = Pick<ExtractInput, 'headers'> & { readonly source: 'http' | 'rendered' };

function bytesOf(read: ExtractInput | undefined, sampled: number): PageBytes | undefined {
  const most = sampled < ENOUGH_SAMPLED_PAGES ? MAX_SAMPLE_BYTES : MAX_FOLDER_SAMPLE_BYTES;
  if (read === undefined || read.body.length > most) return undefined;
  const { headers, source = 'http', body } = read;
  return { source: JSON.stringify({ headers, source } satisfies HashedBlocks), body };
}

/** What the reader of a kept page was told. */
export function hashedBlocksOf({ source, body }: PageBytes): HashedBlocks & Pick<ExtractInput, 'body'> {
  return { ...(JSON.parse(source) as HashedBlocks), body };
}
