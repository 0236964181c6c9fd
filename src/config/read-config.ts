import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import { closestName } from '../core/rule-words.ts';
import { CONFIG, type Config, metaOf, VARIABLE_NAMES, type VariableName } from './config.ts';
import { type ConfigFile, placeOf, readConfigFile } from './config-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type LoadedConfig = {
  /** Frozen. */
  readonly config: Config;
  /** The provision file, when there is one; its records are not applied by this. */
  readonly file: ConfigFile | undefined;
};

/** A variable as it was set: its text and where that stands, for messages. */
type Setting = { readonly text: string; readonly origin: string };
type Found = { readonly settings: ReadonlyMap<VariableName, Setting>; readonly problems: readonly Problem[] };

/**
 * Reads the configuration: environment before file before default; `""` counts as unset. The only reader of the
 * environment.
 * @throws AppError `request.invalid` with every fault as a problem, its place (`PORT`, `fossick.config.yaml:3`) as path
 */
export async function readConfig(options: {
  readonly environment: Environment;
  /** Where a provision file is looked for and what its paths are relative to: the working folder. */
  readonly folder: string;
}): Promise<LoadedConfig> {
  const { environment, folder } = options;
  const problems: Problem[] = [];
  const named = given(environment['CONFIG_FILE']);
  const file = await readConfigFile(folder, named).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    problems.push(...(error.options.problems ?? []).map((problem) => problemOfFile(problem, folder, named)));
    return undefined;
  });
  const fromFile = readSettings(file);
  const fromEnvironment = readVariables(environment, folder);
  const settings = new Map([...fromFile.settings, ...fromEnvironment.settings]);
  problems.push(...fromFile.problems, ...fromEnvironment.problems);
  const texts = Object.fromEntries([...settings].map(([name, { text }]) => [name, text]));
  const { data: prefix } = CONFIG.shape.FRONT_END_PREFIX.safeParse(texts['FRONT_END_PREFIX']);
  const parsed = CONFIG.safeParse({ ...(prefix !== undefined && frontEndPreset(prefix)), ...texts });
  problems.push(...(parsed.error?.issues ?? []).map((issue) => problemOf(settings, issue.path[0], issue.message)));
  if (parsed.data === undefined || problems.length > 0) throw invalidRequest(problems);
  return { config: Object.freeze(parsed.data), file };
}

/** One line per fault of `readConfig`, for the start of a process; any other error is thrown again. */
export function faultLines(error: unknown): readonly string[] {
  if (!(error instanceof AppError)) throw error;
  return (error.options.problems ?? []).map(({ path, message }) => `${path}: ${message}`);
}

/** That no file can be read where the variable says is a fault of the variable. */
function problemOfFile(problem: Problem, folder: string, named: string | undefined): Problem {
  if (named === undefined || problem.path !== resolve(folder, named)) return problem;
  return { path: 'CONFIG_FILE', message: `${problem.path} ${problem.message}` };
}

function readVariables(environment: Environment, folder: string): Found {
  const settings = new Map<VariableName, Setting>();
  const problems: Problem[] = [];
  for (const name of VARIABLE_NAMES) {
    const text = given(environment[name]);
    const fileName = metaOf(name).secret === true ? `${name}_FILE` : undefined;
    const path = fileName === undefined ? undefined : given(environment[fileName]);
    if (text !== undefined) settings.set(name, { text, origin: name });
    if (path === undefined || fileName === undefined) continue;
    if (text !== undefined) {
      problems.push({ path: fileName, message: `must not be set beside ${name}: keep one of the two` });
      continue;
    }
    const secret = readSecret(resolve(folder, path));
    if (secret === undefined) problems.push({ path: fileName, message: 'names a file that is missing or empty' });
    else settings.set(name, { text: secret, origin: fileName });
  }
  return { settings, problems };
}

function readSettings(file: ConfigFile | undefined): Found {
  const settings = new Map<VariableName, Setting>();
  const problems: Problem[] = [];
  if (file === undefined || !isMembers(file.content)) return { settings, problems };
  const sent = file.content['settings'] ?? {};
  if (!isMembers(sent)) {
    const message = 'settings must be a list of names and values such as PORT: 8080';
    return { settings, problems: [{ path: placeOf(file, ['settings']), message }] };
  }
  for (const [name, value] of Object.entries(sent)) {
    const origin = placeOf(file, ['settings', name]);
    const problem = settingProblem(name, value);
    if (problem !== undefined) problems.push({ path: origin, message: `settings.${name} ${problem}` });
    else if (given(String(value ?? '')) !== undefined) {
      settings.set(name as VariableName, { text: String(value).trim(), origin });
    }
  }
  return { settings, problems };
}

function settingProblem(name: string, value: unknown): string | undefined {
  if (name === 'CONFIG_FILE') return 'names the file it stands in: set it in the environment';
  if (!(VARIABLE_NAMES as readonly string[]).includes(name)) {
    const meant = closestName(name, VARIABLE_NAMES);
    return meant === undefined
      ? 'is not known (docs/configuration.md has the names)'
      : `is not known; did you mean ${meant}?`;
  }
  return typeof value === 'object' && value !== null ? 'must be a text, a number, true or false' : undefined;
}

function problemOf(settings: Found['settings'], name: PropertyKey | undefined, message: string): Problem {
  const variable = name as VariableName;
  const origin = settings.get(variable)?.origin ?? variable;
  const text = settings.get(variable)?.text;
  const shown = metaOf(variable).secret === true || text === undefined ? '' : `, not ${JSON.stringify(text)}`;
  return { path: origin, message: `${origin.startsWith(variable) ? '' : `settings.${variable} `}${message}${shown}` };
}

/** A file that cannot be read counts as missing. */
function readSecret(path: string): string | undefined {
  try {
    return given(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What an existing front end expects whose headers and attributes have the prefix: the ids of streams under its names
 * beside the product's own, and public settings for its scripts.
 */
function frontEndPreset(prefix: string): Readonly<Partial<Record<VariableName, string>>> {
  return {
    STREAM_HEADER_PREFIXES: `Service,${prefix}`,
    HTML_HOOK_PREFIX: `data-search,data-${prefix.toLowerCase()}`,
    PUBLIC_SETTINGS_ALLOW_BASIC: 'true',
    PUBLIC_SETTINGS_ALLOW_ANONYMOUS: 'true',
  };
}
