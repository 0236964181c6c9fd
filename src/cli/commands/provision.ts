import { type ConfigFile, locateProblems, printConfigFile, readConfigFile } from '../../config/config-file.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { type Command, type Context, type Input, idWord, wrongUsage } from '../command.ts';

type Plan = {
  readonly changes: readonly {
    readonly action: string;
    readonly record: string;
    readonly members: readonly string[];
  }[];
  readonly warnings: readonly string[];
};

const RELEASABLE = ['customer', 'engine', 'crawler'] as const;

export const provisionCommands: readonly Command[] = [
  {
    name: 'plan',
    usage: '[file]',
    summary: 'Show what a provision file would change',
    words: [0, 1],
    routes: ['POST /configuration/plan'],
    run: async (context, input) => {
      const { changes } = await send(context, input, '/configuration/plan');
      if (changes.length > 0) context.print.note('Next: fossick apply');
    },
  },
  {
    name: 'apply',
    usage: '[file]',
    summary: 'Apply a provision file; what it does not name stays',
    words: [0, 1],
    routes: ['POST /configuration/apply'],
    run: async (context, input) => {
      await send(context, input, '/configuration/apply');
    },
  },
  {
    name: 'export',
    usage: '',
    summary: 'Print the present records as a provision file',
    words: [0, 0],
    routes: ['GET /configuration'],
    run: async ({ client, print }) => {
      const { file } = await (await client()).admin('GET', '/configuration');
      if (print.isJson) print.record(file as Record<string, unknown>);
      else print.raw(printConfigFile(file));
    },
  },
  {
    name: 'configuration',
    usage: '',
    summary: 'Show what the running API is configured with',
    words: [0, 0],
    routes: ['GET /configuration'],
    run: async ({ client, print }) => {
      const { variables } = await (await client()).admin('GET', '/configuration');
      print.record(variables as Record<string, unknown>);
    },
  },
  {
    name: 'release',
    usage: 'customer|engine|crawler <id>',
    summary: 'Take a record out of the hands of its provision file',
    example: 'crawler 17',
    words: [2, 2],
    routes: [
      'POST /customers/:customerId/release',
      'POST /engines/:engineId/release',
      'POST /crawlers/:crawlerId/release',
    ],
    run: async ({ client, print }, input) => {
      const noun = RELEASABLE.find((known) => known === input.positionals[0]);
      if (noun === undefined) throw wrongUsage(`What is released is a ${RELEASABLE.join(', ')}`);
      const id = idWord(input, 1, noun);
      await (await client()).admin('POST', `/${noun}s/${id}/release`);
      print.note(`The ${noun} ${id} is changed by hand from now on; a file that still names it takes it back`);
    },
  },
];

async function send({ client, print, folder, environment }: Context, input: Input, path: string): Promise<Plan> {
  const named = input.positionals[0] ?? environment['CONFIG_FILE'];
  const file = await readConfigFile(folder, named === '' ? undefined : named);
  if (file === undefined) {
    throw wrongUsage('There is no fossick.config.ts, .yaml or .json here: name a file, or start with fossick export');
  }
  const body = { name: file.name, content: file.content };
  const plan = (await (await client()).admin('POST', path, body).catch((error: unknown) => {
    throw located(file, error);
  })) as Plan;
  for (const warning of plan.warnings) print.warn(warning);
  const rows = plan.changes.map(({ action, record, members }) => ({ action, record, members: members.join(', ') }));
  if (rows.length > 0 || print.isJson) print.rows(rows, ['action', 'record', 'members']);
  else print.note('Everything is as the file wants it');
  return plan;
}

/** Faults of the content, which the server names by their path, with the lines of the file. */
function located(file: ConfigFile, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { problems = [] } = error.options;
  if (problems.length === 0) return error;
  return invalidRequest(locateProblems(file, problems).map((message) => ({ path: '', message })));
}
