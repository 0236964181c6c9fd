import type { Config } from '../config/config.ts';
import { searchPath } from '../config/environment.ts';
import { findChromium } from '../fetch/browser/find-chromium.ts';

/** The browser of this machine; undefined when there is none. Without what drives it: health asks, and renders nothing. */
export function chromiumOf(config: Config): Promise<string | undefined> {
  return findChromium({ named: config.CHROMIUM_PATH, searchPath: searchPath() });
}
