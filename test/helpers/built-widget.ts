import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from './temporary-folder.ts';

export const WIDGET_SCRIPT = `begin();${' '.repeat(2_000)}`;
export const WIDGET_BUILD = { version: '1.2.3-abcdef01', integrity: 'sha384-digest' };

/** A folder as the build leaves it, with a widget of one file. */
export async function builtWidget() {
  const folder = await temporaryFolder();
  const files = join(folder.path, 'widget', WIDGET_BUILD.version);
  await mkdir(files, { recursive: true });
  await writeFile(join(files, 'widget.js'), WIDGET_SCRIPT);
  await writeFile(join(files, 'widget.js.gz'), gzipSync(WIDGET_SCRIPT));
  await writeFile(join(folder.path, 'widget.json'), JSON.stringify(WIDGET_BUILD));
  return Object.assign(folder, { webFolder: folder.path });
}
