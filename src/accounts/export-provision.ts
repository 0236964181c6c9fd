import { hideSecrets } from '../core/crawler-secrets.ts';
import type { Engine } from '../core/records.ts';
import type { AccountStore } from '../storage/account-store.ts';
import { ENGINE_DEFAULTS } from './engine-settings.ts';
import type { ParseCrawlerSettings } from './provision-file.ts';
import { PUBLIC_DEFAULTS } from './public-settings.ts';

type Members = Readonly<Record<string, unknown>>;

type ExportDeps = {
  readonly store: Pick<AccountStore, 'listCustomers' | 'listEngines' | 'listCrawlers' | 'listActiveKeys'>;
  readonly parseCrawlerSettings: ParseCrawlerSettings;
};

/** The present records as the content of a provision file; keys by their digest, secrets as `set`, defaults left out. */
export async function exportProvision({ store, parseCrawlerSettings }: ExportDeps): Promise<Members> {
  const [customers, engines, crawlers, keys] = [
    await store.listCustomers(),
    await store.listEngines(),
    await store.listCrawlers(),
    await store.listActiveKeys(),
  ];
  const usual = parseCrawlerSettings({});
  return {
    version: 1,
    customers: customers.map(({ id, name }) => ({
      id,
      name,
      keys: keys.filter(({ customerId }) => customerId === id).map((key) => exportKey(key)),
      engines: engines.filter(({ customerId }) => customerId === id).map(exportEngine),
      crawlers: crawlers
        .filter(({ customerId }) => customerId === id)
        .map(({ id, engineId, name, active, config }) => ({
          id,
          engine: engineId,
          name,
          active,
          ...changedMembers(hideSecrets(config), usual),
        })),
    })),
  };
}

function exportKey(key: { readonly name: string; readonly sha256: string; readonly expiresAt: number | undefined }) {
  const { name, sha256, expiresAt } = key;
  return { name, sha256, ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }) };
}

function exportEngine({ id, name, language, settings, publicSettings }: Engine): Members {
  const shown = changedMembers(publicSettings, PUBLIC_DEFAULTS);
  return {
    id,
    name,
    language,
    ...changedMembers(settings, ENGINE_DEFAULTS),
    ...(Object.keys(shown).length > 0 && { publicSettings: shown }),
  };
}

function changedMembers(members: object, defaults: object): Members {
  const usual = defaults as Members;
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name])),
  );
}
