import { main } from '../../src/cli/main.ts';

export type CliResult = { readonly code: number; readonly out: string; readonly err: string };

export type CliOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
};

/** Runs a command of `fossick` in this process. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const written = { out: '', err: '' };
  const code = await main({
    args,
    environment: options.environment ?? {},
    folder: options.folder ?? import.meta.dirname,
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
  });
  return { code, ...written };
}
