/** A setting as a form shows it. */
export type SettingField = {
  /** `limits.depth` */
  readonly path: string;
  /** `Depth` */
  readonly label: string;
  /** Of the objects that it lies in: `Limits`; '' for none. */
  readonly heading: string;
  readonly description: string;
  readonly standard: unknown;
  readonly example: unknown;
  readonly kind: SettingKind;
};

export type SettingKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly words: readonly string[] }
  | { readonly kind: 'number'; readonly least: number | undefined; readonly most: number | undefined }
  | { readonly kind: 'text' }
  /** One value a line; a word of `words` alone stands for itself. */
  | { readonly kind: 'lines'; readonly words: readonly string[] }
  /** What has no form of its own. */
  | { readonly kind: 'json' };

/** What is read of a JSON Schema; all else is kept by the API, which says what is wrong. */
type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
};

/** The settings of some members of a schema, with those inside of objects one by one. */
export function fieldsOf(
  schema: Readonly<Record<string, unknown>>,
  members: readonly string[],
): readonly SettingField[] {
  const { properties = {} } = schema as Schema;
  return members.flatMap((member) => {
    const found = properties[member];
    return found === undefined ? [] : flatten([member], found);
  });
}

function flatten(place: readonly string[], schema: Schema): readonly SettingField[] {
  const members = Object.entries(schema.properties ?? {});
  if (schema.type === 'object' && members.length > 0) {
    return members.flatMap(([name, member]) => flatten([...place, name], member));
  }
  return [
    {
      path: place.join('.'),
      label: wordsOf(place.at(-1) ?? ''),
      heading: place.slice(0, -1).map(wordsOf).join(' › '),
      description: schema.description ?? '',
      standard: schema.default,
      example: schema.examples?.[0],
      kind: kindOf(schema),
    },
  ];
}

/** `runMinutes` → `Run minutes` */
function wordsOf(name: string): string {
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function kindOf(schema: Schema): SettingKind {
  const { type, anyOf = [] } = schema;
  if (schema.enum !== undefined) return { kind: 'choice', words: schema.enum };
  if (type === 'boolean') return { kind: 'switch' };
  if (type === 'integer' || type === 'number') {
    return { kind: 'number', least: schema.minimum, most: schema.maximum };
  }
  if (type === 'string') return { kind: 'text' };
  if (isListOfTexts(schema)) return { kind: 'lines', words: [] };
  if (anyOf.some(isListOfTexts) && anyOf.every((part) => isListOfTexts(part) || wordsIn(part).length > 0)) {
    return { kind: 'lines', words: anyOf.flatMap(wordsIn) };
  }
  return { kind: 'json' };
}

function isListOfTexts({ type, items }: Schema): boolean {
  return type === 'array' && items?.type === 'string';
}

function wordsIn(schema: Schema): readonly string[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
}
