import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, readSite } from '../../../scripts/evaluate/names/searched-site.ts';
import { urlOf } from '../../helpers/frontier.ts';
import { doxygenSite, javadocSite, type ReferenceSite } from '../../helpers/reference-sites.ts';

const SITES: Readonly<Record<string, ReferenceSite>> = { Javadoc: javadocSite(), Doxygen: doxygenSite() };

describe.each(Object.entries(SITES))('documentation as %s writes it', (_generator, { pages, names }) => {
  let site: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    site = await openSite(await readSite(pages));
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test.each(Object.keys(names))('%s lead to the page that defines them', async (kind) => {
    const wrong: string[] = [];
    for (const { name, page } of names[kind] ?? []) {
      const { ids } = await site.search(name);
      if (ids[0] !== urlOf(`/${page}`)) wrong.push(`${name}: ${ids[0]}`);
    }

    expect(wrong).toEqual([]);
  });
});
