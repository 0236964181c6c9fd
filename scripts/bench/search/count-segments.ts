import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Segments of an index folder as its manifest names them. */
export async function countSegments(directory: string): Promise<number> {
  const [json = '{}'] = (await readFile(join(directory, 'MANIFEST'), 'utf8')).split('\n');
  return (JSON.parse(json) as { segments?: readonly unknown[] }).segments?.length ?? 0;
}
