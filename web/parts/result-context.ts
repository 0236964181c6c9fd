import type { Hit } from '../../packages/client/src/index.ts';

/** What a hit looks like beside the others of its page. */
export type ResultContext = {
  /** Hits are of several sites: each says of which. */
  readonly isSiteShown: boolean;
  /** Folders of addresses that all hits lie in: they tell nothing about any of them. */
  readonly commonFolders: number;
  /** So do pictures that several hits have. */
  readonly commonImages: ReadonlySet<string>;
};

export function contextOf(hits: readonly Hit[]): ResultContext {
  const urls = hits.map(({ Fields, Id }) => URL.parse(Fields['Url']?.Value || Id));
  const images = hits.map(({ Fields }) => Fields['Image']?.Values[0] ?? '');
  return {
    isSiteShown: new Set(urls.map((url) => url?.host)).size > 1,
    commonFolders: commonFolders(urls.map((url) => url?.pathname ?? '')),
    commonImages: new Set(images.filter((image, index) => images.indexOf(image) !== index)),
  };
}

function commonFolders([first = '', ...others]: readonly string[]): number {
  if (others.length === 0) return 0;
  const folders = first.split('/').slice(1, -1);
  const different = folders.findIndex((folder, i) => others.some((path) => path.split('/')[i + 1] !== folder));
  return different === -1 ? folders.length : different;
}
