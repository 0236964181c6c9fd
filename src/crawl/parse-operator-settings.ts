import { mapSecrets } from '../core/crawler-secrets.ts';
import { keepShownSecrets, type Sealer, sealSecret } from '../core/seal-secrets.ts';
import { type CrawlSettings, parseCrawlSettings } from './rules/settings.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Settings of a crawler as they are stored, from what an operator sent: defaults filled in, secrets sealed. `set` in
 * place of a secret keeps the one of `present`, and the same secret again keeps its sealed text, so that nothing
 * changes. `beside` names members that stand beside the settings.
 * @throws AppError `request.invalid` with the path of every wrong or unknown member
 */
export type ParseOperatorSettings = (sent: Members, beside?: readonly string[], present?: Members) => CrawlSettings;

export function operatorSettingsParser(sealer: Sealer): ParseOperatorSettings {
  return (sent, beside = [], present = {}) => {
    const settings = parseCrawlSettings(keepShownSecrets(mapSecrets, sent, { present }), beside);
    return mapSecrets(settings, (secret, path) => {
      if (path[0] === 'proxy' && typeof secret === 'string' && !hasUserInfo(secret)) return secret;
      return sealSecret(sealer, secret, { path, present });
    });
  };
}

/** The address of a proxy without a password is no secret. */
function hasUserInfo(proxy: string): boolean {
  const url = URL.parse(proxy);
  return url !== null && (url.username !== '' || url.password !== '');
}
