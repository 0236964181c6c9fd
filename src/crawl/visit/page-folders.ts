/** Levels and characters of the folders that are told apart: deeper pages belong to the folder above. */
const MAX_LEVELS = 8;
const MAX_FOLDER_CHARS = 300;

export type PageFolders = {
  /** Where the page lies, with a slash at both ends; `/` is the host itself. */
  readonly own: string;
  /** The folder that is named like the page: `/a/b/` of `/a/b.html` and of `/a/b/`. Undefined where it is too deep. */
  readonly led: string | undefined;
  /** Both and those around them, innermost first, without the host itself. */
  readonly all: readonly string[];
};

/** The folders by which the path of a page places it in its site. */
export function foldersOf(url: string): PageFolders {
  const names = new URL(url).pathname.replace(/^\/+|\/+$/g, '').split('/');
  const name = (names.pop() ?? '').replace(/\.[^.]*$/, '');
  const around: string[] = [];
  let own = '/';
  for (const folder of names) {
    const inner = `${own}${folder}/`;
    if (around.length === MAX_LEVELS || inner.length > MAX_FOLDER_CHARS) return { own, led: undefined, all: around };
    own = inner;
    around.unshift(own);
  }
  const led = `${own}${name}/`;
  if (name === '' || led.length > MAX_FOLDER_CHARS) return { own, led: undefined, all: around };
  return { own, led, all: [led, ...around] };
}

/** The folder and those around it, innermost first, without the host itself. */
export function foldersAround(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let end = folder.indexOf('/', 1); end > 0; end = folder.indexOf('/', end + 1)) {
    folders.unshift(folder.slice(0, end + 1));
  }
  return folders;
}
