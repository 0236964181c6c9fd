import { type Finding, finding } from './finding.ts';
import type { Check } from './health.ts';

export type IndexDeps = {
  readonly engines: () => Promise<readonly { readonly id: number; readonly name: string }[]>;
  /** Why searches of an engine have no index to answer from; undefined = they have. */
  readonly repairOf: (engineId: number) => Promise<string | undefined>;
};

/** Engines without an index that was made of their store. One whose store cannot be opened is another check's. */
export function checkIndexes({ engines, repairOf }: IndexDeps): Check {
  return {
    name: 'indexes',
    look: async () => {
      const found: Finding[] = [];
      for (const { id, name } of await engines()) {
        const cause = await repairOf(id).catch(() => undefined);
        if (cause === undefined) continue;
        found.push(
          finding('index-repair', {
            subject: `engine ${id}`,
            sentence: `The index of engine ${id} (${name}) is being made from its store (${cause}): its searches are answered with an error until that is done`,
            command: 'npx fossick status (and wait; the indexer must run)',
          }),
        );
      }
      return found;
    },
  };
}
