import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

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
export function findChromium(where: {
  /** `CHROMIUM_PATH`. */
  readonly named: string | undefined;
  /** `PATH`. */
  readonly searchPath: string;
}): string | undefined {
  if (where.named !== undefined) return isExecutable(where.named) ? where.named : undefined;
  const folders = where.searchPath.split(delimiter).filter((folder) => folder !== '');
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...installed, ...APPS, ...playwrightsOwn()].find(isExecutable);
}

/** Throws on platforms that Playwright has no browser for. */
function playwrightsOwn(): readonly string[] {
  try {
    return [chromium.executablePath()];
  } catch {
    return [];
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
