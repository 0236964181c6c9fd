import { newDocument, readAnswerDocuments } from '../../scripts/evaluate/answers/sets.ts';
import type { NewDocument } from '../../src/core/document.ts';
import type { startAdminApi } from './admin-api.ts';

const PARTS = /^(?:visit|about|shop)\//;

/** The crawler of the pages. */
export const GARDEN_CRAWLER = 17;

/** Engine 6 of an admin API with some twenty pages of the sample site, which tests change. */
export async function openGarden({ deps, post }: Awaited<ReturnType<typeof startAdminApi>>) {
  await post('/customers', { id: 3, name: 'Three' });
  await post('/engines', { id: 6, customer: 3, name: 'Garden' });
  const store = await deps.engineStores.of(6);
  const writer = deps.searchIndex.writer(6);
  const pages = new Map(parts().map((page) => [page.id, newDocument(page)]));

  async function put(documents: readonly NewDocument[], at = 1_000): Promise<void> {
    await store.putDocuments(GARDEN_CRAWLER, documents, at);
    await publish();
  }
  async function publish(): Promise<void> {
    writer.apply(await store.changesAfter(writer.appliedSeq, { rows: 1_000, bytes: 2 ** 26 }));
    await writer.refresh();
  }
  const pageOf = (id: string): NewDocument => {
    const page = pages.get(id);
    if (page === undefined) throw new Error(`no page ${id}`);
    return page;
  };
  await put([...pages.values()]);
  return {
    store,
    put,
    urlOf: (id: string) => pageOf(id).fields.get('Url')?.[0] ?? '',
    remove: async (id: string, at = 2_000) => {
      await store.deleteDocuments(GARDEN_CRAWLER, [id], at);
      await publish();
    },
    /** The page with some of its words replaced wherever they stand. */
    replace: async (id: string, from: string, to: string, at = 2_000) => {
      const changed = JSON.stringify(writable(pageOf(id))).replaceAll(from, to);
      const page = readable(JSON.parse(changed));
      pages.set(id, page);
      await put([page], at);
    },
  };
}

function parts() {
  return readAnswerDocuments('garden').filter(({ id }) => PARTS.test(id));
}

type Writable = Omit<NewDocument, 'fields'> & { readonly fields: [string, readonly string[]][] };

function writable({ fields, ...page }: NewDocument): Writable {
  return { ...page, fields: [...fields] };
}

function readable({ fields, ...page }: Writable): NewDocument {
  return { ...page, fields: new Map(fields) };
}
