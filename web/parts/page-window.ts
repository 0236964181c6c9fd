/** Up to five page numbers around the current one, all within 1 and `pageCount`. */
export function pageWindow(page: number, pageCount: number): readonly number[] {
  const size = Math.min(5, pageCount);
  const first = Math.min(Math.max(1, page - 2), pageCount - size + 1);
  return Array.from({ length: size }, (_, index) => first + index);
}
