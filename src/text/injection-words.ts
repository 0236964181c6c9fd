import { tableOf } from './languages/packs.ts';

/** Names of models are the same everywhere; `ai` is not, being a word of Italian and French. */
export const MODEL_NAMES =
  'llm|llms|chatgpt|gpt|copilot|claude|gemini|chatbot*|language model*|ai agent*|ai assistant*';

export const INJECTION_WORDS = tableOf('injectionWords');
