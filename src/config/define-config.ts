import type { AlertRules, MailReceiver, WebhookReceiver } from '../core/alert-target.ts';
import type { EngineSettings, FacetConfig, PublicSettings } from '../core/records.ts';
import type { VariableName } from './config.ts';

/** The content of a provision file: the wanted state of the records it names (docs/configuration.md). */
export type FossickConfig = {
  readonly version: 1;
  readonly settings?: { readonly [Name in Exclude<VariableName, 'CONFIG_FILE'>]?: string | number | boolean };
  readonly alertTargets?: readonly AlertTargetConfig[];
  readonly customers?: readonly CustomerConfig[];
};

/** Ids begin at 10. */
export type AlertTargetConfig = { readonly id: number; readonly name: string } & Partial<AlertRules> &
  (MailReceiver | WebhookReceiver);

export type CustomerConfig = {
  readonly id: number;
  readonly name?: string;
  readonly keys?: readonly KeyConfig[];
  readonly engines?: readonly EngineConfig[];
  readonly crawlers?: readonly CrawlerConfig[];
};

/** One of: a variable of the environment, the SHA-256 of the key, or the key in clear text (for development). */
export type KeyConfig = { readonly name: string } & (
  | { readonly fromEnv: string }
  | { readonly sha256: string }
  | { readonly value: string }
);

type EngineSettingsConfig = Omit<EngineSettings, 'facets' | 'highlight'> & {
  readonly facets: readonly (Pick<FacetConfig, 'name' | 'field'> & Partial<FacetConfig>)[];
  readonly highlight: Partial<EngineSettings['highlight']>;
};

type PublicSettingsConfig = Omit<PublicSettings, 'instantSuggestions'> & {
  readonly instantSuggestions: Partial<PublicSettings['instantSuggestions']>;
};

export type EngineConfig = {
  readonly id: number;
  readonly name?: string;
  readonly language?: string;
  readonly publicSettings?: Partial<PublicSettingsConfig>;
} & Partial<EngineSettingsConfig>;

/** Besides these, all settings of a crawler. */
export type CrawlerConfig = {
  readonly id: number;
  readonly engine: number;
  readonly name?: string;
  readonly active?: boolean;
  readonly seeds?: readonly string[];
  readonly domains?: readonly string[];
  readonly [setting: string]: unknown;
};

/** For `export default defineConfig({ … })` in `fossick.config.ts`: the editor knows the members. */
export function defineConfig(config: FossickConfig): FossickConfig {
  return config;
}
