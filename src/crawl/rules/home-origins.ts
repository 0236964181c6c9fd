import { compileDomain } from './scope.ts';

/** True for an origin that may be given the credentials of a crawler. */
export type HomeOrigins = (origin: string) => boolean;

/**
 * Origins of seeds, and those of domains. When a seed is https, http is only home where a seed itself says so: what
 * was given for a secure site is never sent in the clear.
 */
export function compileHome({
  seeds,
  domains,
}: {
  readonly seeds: readonly string[];
  readonly domains: readonly string[];
}): HomeOrigins {
  const named = new Set(seeds.flatMap((seed) => URL.parse(seed)?.origin ?? []));
  const isSecure = [...named].some((origin) => origin.startsWith('https:'));
  const rules = domains.map(compileDomain);
  return (origin) => {
    const url = URL.parse(origin);
    if (url === null || named.has(url.origin)) return url !== null;
    if (url.protocol !== 'https:' && (isSecure || url.protocol !== 'http:')) return false;
    return rules.some((rule) => rule.matches(url));
  };
}
