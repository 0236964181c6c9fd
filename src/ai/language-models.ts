import type { LanguageModel } from '../llm/language-model.ts';

/** The models of the installation. */
export type LanguageModels = {
  /** On the account of the engine. */
  forEngine(engineId: number): { readonly answer: LanguageModel; readonly rewrite: LanguageModel };
  /** Of answers. */
  readonly temperature: number;
  /** Whether the words of sources are marked in prompts. */
  readonly marksData: boolean;
};
