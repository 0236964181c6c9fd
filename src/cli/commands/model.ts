import { readConfig } from '../../config/read-config.ts';
import { shellWord } from '../../config/shell-word.ts';
import { type Command, type Input, numberOption, type Row, textOption, wrongUsage } from '../command.ts';

const COLUMNS = ['kind', 'name', 'answers', 'ms', 'first ms', 'dimensions', 'fault'];

/** Models that answer, and those that embed on this machine. */
export const modelCommands: readonly Command[] = [
  {
    name: 'model add',
    usage:
      '<address|file|folder> [--sha256 <hash>] [--name <name>] [--pooling <mean|cls>] [--query-prefix <text>] [--passage-prefix <text>] [--max-tokens <n>]',
    summary: 'Put a model for embeddings beside the data',
    example: 'bge-small-en-v1.5.zip --sha256 0123…',
    words: [1, 1],
    options: {
      sha256: { type: 'string' },
      name: { type: 'string' },
      pooling: { type: 'string' },
      'query-prefix': { type: 'string' },
      'passage-prefix': { type: 'string' },
      'max-tokens': { type: 'string' },
    },
    routes: [],
    run: async ({ print, environment, folder, interruption }, input) => {
      const { config } = await readConfig({ environment, folder });
      // Loaded for this command alone: it holds the fetcher.
      const { addModel } = await import('../../compose/models/add-model.ts');
      const sha256 = textOption(input, 'sha256');
      const source = input.positionals[0] ?? '';
      const { install, ...added } = await addModel(
        { config, source, sha256, name: nameOption(input), usage: usageOptions(input) },
        interruption(),
      );
      print.record({ ...added, ...(install !== undefined && { install }) });
      if (sha256 === undefined) print.note('Its sha256 was not compared: --sha256 does that.');
      const setting = `EMBEDDING_MODEL_FOLDER=${shellWord(added.folder)}`;
      const steps = [
        ...(install === undefined ? [] : [install]),
        `${setting} npx fossick model test`,
        `${setting} npm start`,
      ];
      print.note(`Next:\n${steps.map((step) => `  ${step}`).join('\n')}`);
    },
  },
  {
    name: 'model test',
    usage: '',
    summary: 'Ask every configured model; exit code 1 when one does not answer',
    words: [0, 0],
    routes: [],
    run: async ({ print, environment, folder, interruption, endBadly }) => {
      const { config } = await readConfig({ environment, folder });
      const { testModels } = await import('../../compose/models/test-models.ts');
      const tested = await testModels(config, interruption());
      if (tested.some(({ answers }) => !answers)) endBadly();
      const rows: readonly Row[] = print.isJson
        ? tested
        : tested.map(({ millis, firstMillis, ...model }) => ({ ...model, ms: millis, 'first ms': firstMillis }));
      print.rows(
        rows,
        COLUMNS,
        'no model is configured: LLM_BASE_URL and LLM_MODEL name one that writes, EMBEDDING_BASE_URL and EMBEDDING_MODEL or EMBEDDING_MODEL_FOLDER one that embeds',
      );
    },
  },
];

function nameOption(input: Input): string | undefined {
  const name = textOption(input, 'name');
  if (name === undefined || /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) return name;
  throw wrongUsage('--name must be of letters, digits and . _ -');
}

function usageOptions(input: Input) {
  const pooling = textOption(input, 'pooling');
  if (pooling !== undefined && pooling !== 'mean' && pooling !== 'cls') throw wrongUsage('--pooling is mean or cls');
  const maxTokens = numberOption(input, 'max-tokens');
  if (maxTokens !== undefined && (maxTokens < 8 || maxTokens > 8_192)) throw wrongUsage('--max-tokens is 8 to 8192');
  return {
    pooling,
    queryPrefix: textOption(input, 'query-prefix'),
    passagePrefix: textOption(input, 'passage-prefix'),
    maxTokens,
  } as const;
}
