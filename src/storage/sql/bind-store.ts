import type { Operation, StoreDefinition } from './operation.ts';

/** How the operations of one store run. */
export type StoreRunner = {
  read<Result>(operation: Operation<Result>): Promise<Result>;
  write(name: string, parameters: readonly unknown[]): Promise<unknown>;
};

/** The methods of the port `Store`, made of the operations behind it: a read rejects with what its statements throw. */
export function bindStore<Store>(definitions: readonly StoreDefinition[], runner: StoreRunner): Store {
  const methods: Record<string, (...parameters: never[]) => Promise<unknown>> = {};
  for (const { reads, writes } of definitions) {
    for (const [name, read] of Object.entries(reads)) {
      methods[name] = (...parameters) => runner.read(read(...parameters));
    }
    for (const name of Object.keys(writes)) {
      methods[name] = (...parameters) => runner.write(name, parameters);
    }
  }
  return methods as Store;
}
