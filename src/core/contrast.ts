/** Of small text on its ground. WCAG 2.2, 1.4.3 (AA). */
export const MIN_TEXT_CONTRAST = 4.5;
/** Of borders of controls and marks of focus. WCAG 2.2, 1.4.11 (AA). */
export const MIN_SIGN_CONTRAST = 3;

/** Contrast ratio of two colours, 1 to 21; colours are `#rrggbb`. WCAG 2.2, definition of contrast ratio. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour with `share` of the other one in it, 0 to 1, mixed in sRGB. */
export function mixColours(colour: string, other: string, share: number): string {
  const into = channelsOf(other);
  const mixed = channelsOf(colour).map((value, at) => Math.round(value + ((into[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, 0 to 1. WCAG 2.2, definition of relative luminance. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((value) => {
    const ratio = value / 255;
    return ratio <= 0.04045 ? ratio / 12.92 : ((ratio + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue, 0 to 255. */
function channelsOf(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
