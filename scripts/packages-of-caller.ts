import { packagesFolder } from '../src/compose/packages-folder.ts';
import { CONFIG } from '../src/config/config.ts';

/** Where packages of an operator are looked for: in `DATA_DIR` of who runs the script, else where the product has it. */
export function packagesOfCaller(): string {
  const { DATA_DIR } = process.env;
  return packagesFolder(CONFIG.parse(DATA_DIR === undefined ? {} : { DATA_DIR }).DATA_DIR);
}
