/**
 * One text of the interface: `{name}` stands for a value. A text that depends on a number has a form per plural
 * category of its language (Unicode TR 35, `Intl.PluralRules`); `other` is always there.
 */
export type Message = string | PluralMessage;
export type PluralMessage = { readonly [Category in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** A text with its values, in order: what stood between placeholders, and the value of each. Unknown names stay. */
export function fillMessage<Value>(text: string, values: Readonly<Record<string, Value>>): (string | Value)[] {
  // `split` by an expression with a group gives texts and names in turn.
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))
    .filter((part) => part !== '');
}
