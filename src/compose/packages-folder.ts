import { join, resolve } from 'node:path';

/** Where an operator installs packages: it is kept when the product's own packages are installed anew. */
export function packagesFolder(dataDir: string): string {
  return join(resolve(dataDir), 'packages');
}
