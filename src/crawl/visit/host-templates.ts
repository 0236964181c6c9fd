import type { ExtractInput, Extraction } from '../../extract/extraction.ts';
import { NO_TEMPLATES, type TemplateShare } from '../../extract/html/template-blocks.ts';
import { type PageBytes, type PageTemplates, SAMPLED_PAGES, type TemplateStore } from '../../storage/template-store.ts';
import { type FolderSamples, MIN_IN_FOLDER, openFolderSamples } from './folder-samples.ts';
import { foldersOf } from './page-folders.ts';
import { openPageSample, type PageSample } from './page-sample.ts';

/** Known pages of a host from which they vote, and from which a choice is for good (extraction 10). */
export const MIN_VOTERS = 10;
export const ENOUGH_VOTERS = 20;
/** Larger pages are not kept to be chosen again: of a host that is hardly known, of a folder that is not. */
const MAX_KEPT_BYTES = 1024 * 1024;
const MAX_FOLDER_KEPT_BYTES = 256 * 1024;
/** Hosts that are held at a time, while their folders have no more pages than that: 4 MB each, 64 MB together. */
const HELD_HOSTS = 50;
const HELD_FOLDER_PAGES = 20_000;

type Page = { readonly urlId: number; readonly hostId: number; readonly url: string };
/** A page that was read: as it came, and what it says. */
type ReadPage = {
  readonly extraction: Pick<Extraction, 'templateBlocks' | 'outlinks'>;
  readonly read: ExtractInput | undefined;
};

/** What other known pages say. */
export type Voters = {
  /** Of the host. */
  readonly count: number;
  /** Of the host and of each folder of the page, as far as they can vote: more of them may say something else. */
  readonly known: number;
  readonly share: TemplateShare;
  /** The smallest folder of the page that is known. */
  readonly folderShare: TemplateShare;
};

/** The blocks of the known pages of hosts, as one slice sees them. */
export type HostTemplates = {
  /** The first question about a host reads the store. */
  votersFor(page: Page): Promise<Voters>;
  /**
   * What a visit that stores its page is to record, which counts for the next pages at once; undefined = nothing
   * that would change anything. Of a host that `votersFor` was asked about.
   */
  record(page: Page, read: ReadPage): PageTemplates | undefined;
};

type HeldHost = { readonly pages: PageSample; readonly folders: FolderSamples };

export function openHostTemplates(store: Pick<TemplateStore, 'sampledPages' | 'folderPages'>): HostTemplates {
  const hosts = new Map<number, HeldHost>();
  const makeRoom = () => {
    let held = 0;
    for (const { folders } of hosts.values()) held += folders.size();
    for (const [hostId, { folders }] of hosts) {
      if (hosts.size < HELD_HOSTS && held < HELD_FOLDER_PAGES) break;
      hosts.delete(hostId);
      held -= folders.size();
    }
  };
  const of = async (hostId: number): Promise<HeldHost> => {
    const known = hosts.get(hostId);
    if (known !== undefined) return known;
    const pages = openPageSample(SAMPLED_PAGES);
    for (const { urlId, blocks } of await store.sampledPages(hostId)) pages.put(urlId, blocks);
    const folders = openFolderSamples(await store.folderPages(hostId));
    makeRoom();
    // Another visit may have been quicker.
    const present = hosts.get(hostId) ?? { pages, folders };
    hosts.set(hostId, present);
    return present;
  };
  return {
    votersFor: async (page) => votersOf(await of(page.hostId), page),
    record: (page, { extraction, read }) => {
      const host = hosts.get(page.hostId);
      const voters = host && votersOf(host, page);
      const kept = isForGood(host, page, extraction) ? undefined : bytesOf(read, voters?.count ?? 0);
      const { templateBlocks: blocks } = extraction;
      const { own } = foldersOf(page.url);
      const isOfHost = host?.pages.put(page.urlId, blocks) ?? true;
      const isOfFolder = own !== '/' && (host?.folders.put(page.urlId, own, blocks) ?? true);
      if (!isOfHost && !isOfFolder && kept === undefined) return undefined;
      return { blocks, folder: isOfFolder ? own : undefined, kept: kept && { ...kept, voters: voters?.known ?? 0 } };
    },
  };
}

function votersOf({ pages, folders }: HeldHost, { urlId, url }: Page): Voters {
  const { count, share } = pages.votersFor(urlId);
  const inFolders = folders.votersFor(urlId, foldersOf(url));
  const known = count + inFolders.known;
  return { count, known, share: count < MIN_VOTERS ? NO_TEMPLATES : share, folderShare: inFolders.share };
}

/** What the reader of a page is told of other pages. */
export function sharesOf(voters: Voters | undefined): Pick<ExtractInput, 'templateShare' | 'folderShare'> {
  return { templateShare: voters?.share, folderShare: voters?.folderShare };
}

/** So much is known of the host and of the folders of the page that more would hardly change its text. */
function isForGood(host: HeldHost | undefined, page: Page, extraction: ReadPage['extraction']): boolean {
  if (host === undefined || host.pages.votersFor(page.urlId).count < ENOUGH_VOTERS) return false;
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

type Told = Pick<ExtractInput, 'headers'> & { readonly source: 'http' | 'rendered' };

function bytesOf(read: ExtractInput | undefined, voters: number): PageBytes | undefined {
  const most = voters < ENOUGH_VOTERS ? MAX_KEPT_BYTES : MAX_FOLDER_KEPT_BYTES;
  if (read === undefined || read.body.length > most) return undefined;
  const { headers, source = 'http', body } = read;
  return { source: JSON.stringify({ headers, source } satisfies Told), body };
}

/** What the reader of a kept page was told. */
export function toldOf({ source, body }: PageBytes): Told & Pick<ExtractInput, 'body'> {
  return { ...(JSON.parse(source) as Told), body };
}
