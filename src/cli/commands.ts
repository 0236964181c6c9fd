import type { Command } from './command.ts';
import { crawlerCommands } from './commands/crawler.ts';
import { customerCommands } from './commands/customer.ts';
import { documentCommands } from './commands/documents.ts';
import { engineCommands } from './commands/engine.ts';
import { keyCommands } from './commands/key.ts';
import { provisionCommands } from './commands/provision.ts';
import { runCommands } from './commands/run.ts';
import { searchCommands } from './commands/search.ts';
import { statusCommands } from './commands/status.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...statusCommands,
  ...provisionCommands,
  ...customerCommands,
  ...keyCommands,
  ...engineCommands,
  ...crawlerCommands,
  ...runCommands,
  ...searchCommands,
  ...documentCommands,
];
