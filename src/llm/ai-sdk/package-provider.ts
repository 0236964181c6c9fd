import { extractReasoningMiddleware, wrapEmbeddingModel, wrapLanguageModel } from 'ai';
import { importPackage, type PackageSource, packageFault } from './import-package.ts';
import { openModelConnection } from './model-fetch.ts';
import type { ModelEndpoint, ModelProvider } from './model-provider.ts';
import { createProvider } from './provider-factory.ts';

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
