/** What leads to a document, from its site on, as people read it. */
export type Crumbs = { readonly site: string; readonly folders: readonly string[] };

type Document = {
  readonly address: string;
  /** `Visit > Tickets`, as extraction stores it; '' = unknown. */
  readonly breadcrumb: string;
  /** The site's own name; '' = unknown. */
  readonly site: string;
  readonly language: string;
  /** Folders of the address that are left out at its beginning, as long as one is left. */
  readonly commonFolders?: number;
};

const STORED_MARK = ' > ';
/** Longer ways lose their middle. */
const MOST_FOLDERS = 4;

/** The stored way to a document, else the folders of its address; without the document itself. */
export function crumbsOf({ address, breadcrumb, site, language, commonFolders = 0 }: Document): Crumbs {
  const url = URL.parse(address);
  const stored = breadcrumb === '' ? [] : breadcrumb.split(STORED_MARK);
  const folders = stored.length > 0 ? stored : foldersOf(url?.pathname ?? '', language, commonFolders);
  return { site: site || (url?.hostname.replace(/^www\./, '') ?? ''), folders: withoutMiddle(folders) };
}

function foldersOf(path: string, language: string, common: number): readonly string[] {
  const all = path.split('/').slice(1, -1);
  return all
    .slice(Math.max(0, Math.min(common, all.length - 1)))
    .filter((segment) => segment !== '' && segment.toLowerCase() !== language.toLowerCase())
    .map(readableName);
}

/** `garden-tools` is `Garden tools`; a name with broken escapes is shown as it stands. */
function readableName(segment: string): string {
  const words = decoded(segment)
    .replace(/[-_+]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function withoutMiddle(folders: readonly string[]): readonly string[] {
  if (folders.length <= MOST_FOLDERS) return folders;
  return [...folders.slice(0, 1), '…', ...folders.slice(2 - MOST_FOLDERS)];
}
