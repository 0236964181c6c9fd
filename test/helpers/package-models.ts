import { createLanguageModel } from '../../src/llm/ai-sdk/language-model.ts';
import type { ModelProvider } from '../../src/llm/ai-sdk/model-provider.ts';
import { openPackageProvider, type PackageEndpoint } from '../../src/llm/ai-sdk/package-provider.ts';
import type { LanguageModel } from '../../src/llm/language-model.ts';
import { estimateByLength, MODEL_KEY } from './model-calls.ts';

/** A real provider package of another wire format than chat completions, among the product's own packages. */
export const MESSAGES_PACKAGE = '@ai-sdk/anthropic';

/** Where no package is installed. */
const NOWHERE = '/nowhere/packages';

/** The provider of an installed package, on a fake server. */
export function openFakePackage(
  server: { readonly baseUrl: string; readonly host: string },
  name: string,
  more: Partial<PackageEndpoint> = {},
): Promise<ModelProvider> {
  const access = { baseUrl: server.baseUrl, apiKey: MODEL_KEY, headers: {} };
  const limits = { allowedHosts: new Set([server.host]), certificateAuthority: undefined };
  return openPackageProvider(
    { ...access, ...limits, ...more },
    { name, setBy: 'LLM_PROVIDER_PACKAGE', folder: NOWHERE },
  );
}

export function modelOf(provider: ModelProvider, mode: string): LanguageModel {
  return createLanguageModel(provider, { name: mode, contextTokens: 8_192, estimateTokens: estimateByLength });
}
