/**
 * Whether a tool is for a visitor with these traits: everybody without audiences, else one entry equals a trait in any
 * case. Entries that are no text, number or truth value equal none. Contract: 2.10.
 */
export function fitsAudience(audiences: readonly unknown[] | undefined, traits: readonly string[]): boolean {
  if (!isTargeted(audiences)) return true;
  const own = new Set(traits.map((trait) => trait.toLowerCase()));
  return audiences.some((entry) => SCALARS.has(typeof entry) && own.has(String(entry).toLowerCase()));
}

/** Whether a tool is for some visitors only. */
export function isTargeted(audiences: readonly unknown[] | undefined): audiences is readonly unknown[] {
  return audiences !== undefined && audiences.length > 0;
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
