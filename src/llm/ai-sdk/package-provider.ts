import { extractReasoningMiddleware, wrapEmbeddingModel, wrapLanguageModel } from 'ai';
import { firstLine, importPackage, type PackageSource, packageFault } from '../import-package.ts';
import { type ModelEndpoint, type ModelProvider, openModelConnection } from './model-provider.ts';

/** Without a base URL the package calls its own address. */
export type PackageEndpoint = Omit<ModelEndpoint, 'baseUrl'> & { readonly baseUrl: string | undefined };

/** What providers answer with: events, those of AWS, lines, and whole answers. */
const MEDIA_TYPES = [
  'text/event-stream',
  'application/vnd.amazon.eventstream',
  'application/x-ndjson',
  'application/json',
];
/** Of the interface of models. Older ones print warnings, and do not say why an answer ended. */
const SPECIFICATIONS: ReadonlySet<unknown> = new Set(['v3', 'v4']);

/**
 * Models of an installed provider package. It gets our `fetch`, and with it all rules for calls of models. What else
 * it needs (a region, the key when none is configured) it reads from variables of its own.
 * @throws AppError `request.invalid` when the package cannot be had or gives no provider; so do `languageModel` and
 * `embeddingModel` for a model that it does not have
 */
export async function openPackageProvider(endpoint: PackageEndpoint, source: PackageSource): Promise<ModelProvider> {
  const { baseUrl, apiKey, headers, ...options } = endpoint;
  const exported = await importPackage(source);
  const connection = openModelConnection(options);
  const provider = createProvider(exported, source, {
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
    headers: { ...headers },
    fetch: connection.fetchFor(MEDIA_TYPES),
  });
  return {
    languageModel: (name) =>
      wrapLanguageModel({
        model: modelOf(source, `language model ${name}`, () => provider.languageModel(name)),
        middleware: extractReasoningMiddleware({ tagName: 'think' }),
      }),
    embeddingModel: (name) =>
      wrapEmbeddingModel({
        model: modelOf(source, `embedding model ${name}`, () => provider.embeddingModel?.(name)),
        middleware: [],
      }),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

/** @throws AppError `request.invalid` when the package has no such model, or one that cannot be called */
function modelOf<Model>(
  source: PackageSource,
  what: string,
  open: () => Model | undefined,
): Exclude<Model, string | undefined> {
  const model = openOrNone(open);
  if (typeof model !== 'object' || model === null || !('specificationVersion' in model)) {
    throw packageFault(source, `has no ${what}`);
  }
  if (SPECIFICATIONS.has(model.specificationVersion)) return model as Exclude<Model, string | undefined>;
  throw packageFault(source, 'is of another age than this product: install its version for AI SDK 6 or 7');
}

/** A package without such models may throw or not have the function at all. */
function openOrNone<Model>(open: () => Model | undefined): Model | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

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
function createProvider(
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
