import type { wrapEmbeddingModel, wrapLanguageModel } from 'ai';
import { firstLine, type PackageSource, packageFault } from './import-package.ts';

/** Given to a package, by the names of the AI SDK's convention. */
export type ProviderSettings = {
  readonly baseURL?: string;
  readonly apiKey?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
};

export type CreatedProvider = {
  languageModel(id: string): Parameters<typeof wrapLanguageModel>[0]['model'];
  embeddingModel?(id: string): Parameters<typeof wrapEmbeddingModel>[0]['model'];
};

type Factory = (settings: ProviderSettings) => unknown;

/**
 * The provider of a package that exports `create<Name>(settings)` (the AI SDK's convention). Of several such functions
 * the one named like the package is asked first.
 * @throws AppError `request.invalid` when none gives a provider of language models
 */
export function createProvider(
  exported: Readonly<Record<string, unknown>>,
  source: PackageSource,
  settings: ProviderSettings,
): CreatedProvider {
  let said = '';
  for (const factory of factoriesOf(exported, source.name)) {
    try {
      const created = factory(settings);
      if (isProvider(created)) return created;
    } catch (error) {
      said = `: ${withoutSecrets(firstLine(error), settings)}`;
    }
  }
  throw packageFault(source, `has no create<Name>(settings) that gives language models${said}`);
}

/** `@ai-sdk/amazon-bedrock` → `createAmazonBedrock` before all others. */
function factoriesOf(exported: Readonly<Record<string, unknown>>, packageName: string): readonly Factory[] {
  const wanted = `create${packageName
    .split('/')
    .at(-1)
    ?.replaceAll(/[^a-z0-9]/g, '')}`;
  const isWanted = ([name]: readonly [string, unknown]) => name.toLowerCase() === wanted;
  return Object.entries(exported)
    .filter((entry): entry is [string, Factory] => /^create[A-Z]/.test(entry[0]) && typeof entry[1] === 'function')
    .toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)))
    .map(([, factory]) => factory);
}

/** An object or, as most packages have it, a function with members. */
function isProvider(created: unknown): created is CreatedProvider {
  return typeof (created as Partial<CreatedProvider> | undefined)?.languageModel === 'function';
}

function withoutSecrets(text: string, { apiKey, headers }: ProviderSettings): string {
  const secrets = [apiKey ?? '', ...Object.values(headers)].filter((secret) => secret !== '');
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
}
