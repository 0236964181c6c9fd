/** A file of the widget and the digest that the browser compares it with (W3C Subresource Integrity). */
export type ChunkFile = { readonly file: string; readonly integrity: string };

/** What is loaded later, by name: its own file first, then those that it imports. */
export type ChunkTable = Readonly<Record<string, readonly ChunkFile[]>>;

/** What the build writes into the loader. */
export type WidgetBuild = { readonly version: string; readonly chunks: ChunkTable };

export type ChunkLoader = {
  /**
   * Loads a chunk once, after its files are known to be those of the build. Rejects when one of them is not. `others`:
   * chunks that one of the build's own has named.
   */
  readonly load: <Module>(name: string, others?: ChunkTable) => Promise<Module>;
};

/** `folder` ends in `/`; `nonce` is that of the page's script policy. */
export function createChunkLoader(folder: string, chunks: ChunkTable, nonce: string): ChunkLoader {
  const loading = new Map<string, Promise<unknown>>();
  const begin = async (files: readonly ChunkFile[]): Promise<unknown> => {
    await Promise.all(files.map(({ file, integrity }) => verify(folder + file, integrity, nonce)));
    const address = `${folder}${files[0]?.file}`;
    return import(/* @vite-ignore */ address);
  };
  return {
    load: <Module>(name: string, others = chunks) => {
      const started = loading.get(name) ?? begin(others[name] ?? []);
      loading.set(name, started);
      // Whoever asks after a failure tries again.
      started.catch(() => loading.delete(name));
      return started as Promise<Module>;
    },
  };
}

/**
 * An import has no place for a digest, and an import map would be an inline script, which strict policies forbid. A
 * preload has one, and leaves what it has compared in the module map, where the import finds it. Browsers before 2023
 * import without.
 */
function verify(address: string, integrity: string, nonce: string): Promise<void> {
  const link = document.createElement('link');
  if (!link.relList.supports('modulepreload')) return Promise.resolve();
  link.rel = 'modulepreload';
  link.crossOrigin = 'anonymous';
  link.integrity = integrity;
  link.nonce = nonce;
  link.href = address;
  const read = new Promise<void>((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${address} could not be loaded, or is not the file of this version`));
    document.head.append(link);
  });
  return read.finally(() => link.remove());
}
