import { findChromium } from '../../src/fetch/browser/find-chromium.ts';

/** A missing Chromium fails the test. */
export async function chromiumPath(): Promise<string> {
  const path = await findChromium({ named: process.env['CHROMIUM_PATH'], searchPath: process.env['PATH'] ?? '' });
  if (path === undefined) throw new Error('Chromium is missing: run npm run setup');
  return path;
}
