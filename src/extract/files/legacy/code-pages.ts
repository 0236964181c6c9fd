/** Encodings of `\fcharset` (RTF 1.9.1, font table); others are those of the whole file. */
const BY_FONT: ReadonlyMap<number, string> = new Map([
  [77, 'macintosh'],
  [128, 'shift_jis'],
  [129, 'euc-kr'],
  [134, 'gbk'],
  [136, 'big5'],
  [161, 'windows-1253'],
  [162, 'windows-1254'],
  [163, 'windows-1258'],
  [177, 'windows-1255'],
  [178, 'windows-1256'],
  [186, 'windows-1257'],
  [204, 'windows-1251'],
  [222, 'windows-874'],
  [238, 'windows-1250'],
]);
const BY_PAGE: ReadonlyMap<number, string> = new Map([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [1200, 'utf-16le'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [65_001, 'utf-8'],
]);
/** Bullets and signs that no encoding has. */
export const SYMBOL_CHARSET = 2;

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

export function charsetOfFont(charset: number): string | undefined {
  return BY_FONT.get(charset);
}

/** Of a Windows code page; undefined for those of DOS that no decoder knows. */
export function charsetOfPage(page: number): string | undefined {
  return BY_PAGE.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : undefined);
}

/** Text of characters that stand for bytes. */
export function decodeBytes(run: string, charset: string): string {
  const decoder = decoders.get(charset) ?? new TextDecoder(charset);
  decoders.set(charset, decoder);
  return decoder.decode(Buffer.from(run, 'latin1'));
}
