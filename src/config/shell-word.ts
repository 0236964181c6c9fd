/** A value as a shell reads it back as one word. */
export function shellWord(value: string): string {
  return /^[\w./:=,@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
