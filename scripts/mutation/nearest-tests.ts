import { scanFile } from '../../test/helpers/import-scan.ts';

/** Test files by the sources that they reach, for a tree of files below a root. */
export type TestDistances = {
  /** Test files that reach a source file, those with the fewest imports between them first. */
  of(source: string): readonly string[];
};

export function measureTests(root: string, files: readonly string[]): TestDistances {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const { target } of scanFile(root, file)) {
      if (target === undefined) continue;
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [file]);
      else known.push(file);
    }
  }
  return {
    of: (source) => {
      const seen = new Set([source]);
      for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer);
      return [...seen].filter((file) => file.endsWith('.test.ts'));
    },
  };
}
