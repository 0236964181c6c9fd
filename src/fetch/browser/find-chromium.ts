import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The same as `scripts/setup/facts.mjs`, which runs before packages are installed; a test compares the two. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser to render with: the one that is named (and no other then), the system's, or Playwright's own. Undefined
 * when there is none.
 */
export async function findChromium(where: {
  /** `CHROMIUM_PATH`. */
  readonly named: string | undefined;
  /** `PATH`. */
  readonly searchPath: string;
}): Promise<string | undefined> {
  if (where.named !== undefined) return isExecutable(where.named) ? where.named : undefined;
  const folders = where.searchPath.split(delimiter).filter((folder) => folder !== '');
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...installed, ...APPS].find(isExecutable) ?? (await playwrightsOwn());
}

/** Loaded when it is needed: it is large. It throws on platforms that it has no browser for. */
async function playwrightsOwn(): Promise<string | undefined> {
  const { chromium } = await import('playwright');
  try {
    const path = chromium.executablePath();
    return isExecutable(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
