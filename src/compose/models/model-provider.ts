import { readFile } from 'node:fs/promises';
import type { ModelKind } from '../../config/answer-variables.ts';
import type { Config } from '../../config/config.ts';
import { invalidRequest } from '../../core/errors.ts';
import { hostAndPortOf } from '../../core/url.ts';
import type { ModelProvider } from '../../llm/ai-sdk/model-provider.ts';
import { packagesFolder } from '../packages-folder.ts';

/**
 * What the configuration names for models of a kind: an installed package, else an endpoint. Either is loaded only
 * when it is named. The caller disposes of it.
 * @throws AppError `request.invalid` when `LLM_CA_FILE` cannot be read, or the package cannot be had
 */
export async function openModelProvider(config: Config, kind: ModelKind): Promise<ModelProvider> {
  const { baseUrl, packageName, ...access } = accessOf(config, kind);
  const allowedHosts = new Set(config.LLM_ALLOWED_HOSTS ?? (baseUrl === undefined ? [] : [hostOf(baseUrl)]));
  const endpoint = { ...access, allowedHosts, certificateAuthority: await readAuthority(config) };
  if (packageName !== undefined) {
    const { openPackageProvider } = await import('../../llm/ai-sdk/package-provider.ts');
    const folder = packagesFolder(config.DATA_DIR);
    return openPackageProvider(
      { ...endpoint, baseUrl },
      { name: packageName, setBy: `${kind}_PROVIDER_PACKAGE`, folder },
    );
  }
  if (baseUrl === undefined) throw new Error(`no provider of ${kind} models is configured`);
  const { openCompatibleProvider } = await import('../../llm/ai-sdk/openai-compatible.ts');
  return openCompatibleProvider({ ...endpoint, baseUrl });
}

function accessOf(config: Config, kind: ModelKind) {
  return {
    baseUrl: config[`${kind}_BASE_URL`],
    packageName: config[`${kind}_PROVIDER_PACKAGE`],
    apiKey: config[`${kind}_API_KEY`],
    headers: kind === 'LLM' ? (config.LLM_HEADERS ?? {}) : {},
  };
}

const hostOf = (baseUrl: string) => hostAndPortOf(new URL(baseUrl));

/** PEM of `LLM_CA_FILE`. @throws AppError `request.invalid` when it cannot be read */
async function readAuthority({ LLM_CA_FILE: path }: Config): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return readFile(path, 'utf8').catch(() => {
    throw invalidRequest([{ path: 'LLM_CA_FILE', message: `LLM_CA_FILE: ${path} cannot be read` }]);
  });
}
