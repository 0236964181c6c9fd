/** Gives what `make` makes when it is asked for first, and then the same again. What it throws is thrown each time. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
