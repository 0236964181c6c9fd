const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** `de` → `German`; what is no code stays as it is. */
export function languageName(code: string): string {
  try {
    return NAMES.of(code) ?? code;
  } catch {
    return code;
  }
}
