import type { VariableName } from './config.ts';

/**
 * What an existing front end expects whose headers and attributes have the prefix: the ids of streams under its names
 * beside the product's own, and public settings for its scripts.
 */
export function frontEndPreset(prefix: string): Readonly<Partial<Record<VariableName, string>>> {
  return {
    STREAM_HEADER_PREFIXES: `Service,${prefix}`,
    HTML_HOOK_PREFIX: `data-search,data-${prefix.toLowerCase()}`,
    PUBLIC_SETTINGS_ALLOW_BASIC: 'true',
    PUBLIC_SETTINGS_ALLOW_ANONYMOUS: 'true',
  };
}
