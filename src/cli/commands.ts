import type { Command } from './command.ts';
import { backupCommands } from './commands/backup.ts';
import { crawlerCommands } from './commands/crawler.ts';
import { customerCommands } from './commands/customer.ts';
import { doctorCommands } from './commands/doctor.ts';
import { documentCommands } from './commands/documents.ts';
import { dryRunCommands } from './commands/dry-runs.ts';
import { engineCommands } from './commands/engine.ts';
import { extractionCommands } from './commands/extraction.ts';
import { goldenCommands } from './commands/golden.ts';
import { hostCommands } from './commands/hosts.ts';
import { keyCommands } from './commands/key.ts';
import { patternCommands } from './commands/patterns.ts';
import { provisionCommands } from './commands/provision.ts';
import { removalCommands } from './commands/removals.ts';
import { runCommands } from './commands/run.ts';
import { searchCommands } from './commands/search.ts';
import { statisticsCommands } from './commands/statistics.ts';
import { statusCommands } from './commands/status.ts';
import { urlCommands } from './commands/urls.ts';

export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] };

/** The commands as the help shows them. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: 'Installation', commands: [...statusCommands, ...doctorCommands] },
  { title: 'Backup and restore', commands: backupCommands },
  { title: 'Provision file and configuration', commands: provisionCommands },
  { title: 'Customers and API keys', commands: [...customerCommands, ...keyCommands] },
  { title: 'Engines', commands: engineCommands },
  { title: 'Crawlers', commands: crawlerCommands },
  { title: 'What a crawler knows and would do', commands: [...urlCommands, ...dryRunCommands, ...extractionCommands] },
  { title: 'Removals and hosts', commands: [...removalCommands, ...hostCommands] },
  { title: 'URL templates and duplicates', commands: patternCommands },
  { title: 'Runs and URLs', commands: runCommands },
  { title: 'Search and documents', commands: [...searchCommands, ...documentCommands] },
  { title: 'Statistics', commands: statisticsCommands },
  { title: 'Golden questions', commands: goldenCommands },
];

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
