type Members = Readonly<Record<string, unknown>>;

/** The members with what was sent in their place: objects are merged, `null` removes a member (RFC 7396). */
export function mergePatch(present: Members, sent: Members): Members {
  const merged = new Map(Object.entries(present));
  for (const [name, value] of Object.entries(sent)) {
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isMembers(value) ? mergePatch(isMembers(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
