import { mapSecrets, SHOWN_SECRET, sealedPart, sealedText } from '../core/crawler-secrets.ts';
import { invalidRequest, type Problem } from '../core/errors.ts';
import { type CrawlSettings, parseCrawlSettings } from './rules/settings.ts';

type Members = Readonly<Record<string, unknown>>;

/** Seals text for the store, and opens what it sealed. */
export type Sealer = {
  readonly seal: (text: string) => string;
  readonly open: (sealed: string) => string | undefined;
};

/**
 * Settings of a crawler as they are stored, from what an operator sent: defaults filled in, secrets sealed. `set` in
 * place of a secret keeps the one of `present`, and the same secret again keeps its sealed text, so that nothing
 * changes. `beside` names members that stand beside the settings.
 * @throws AppError `request.invalid` with the path of every wrong or unknown member
 */
export type ParseOperatorSettings = (sent: Members, beside?: readonly string[], present?: Members) => CrawlSettings;

export function operatorSettingsParser(sealer: Sealer): ParseOperatorSettings {
  return (sent, beside = [], present = {}) => {
    const settings = parseCrawlSettings(keepShown(sent, present), beside);
    return mapSecrets(settings, (secret, path) => sealed(sealer, secret, { path, before: valueAt(present, path) }));
  };
}

function keepShown(sent: Members, present: Members): Members {
  const problems: Problem[] = [];
  const kept = mapSecrets(sent, (secret, path) => {
    if (secret !== SHOWN_SECRET) return secret;
    const before = valueAt(present, path);
    const name = path.join('.');
    if (before === undefined)
      problems.push({ path: name, message: `${name}: is not known yet: give the secret itself` });
    return before;
  });
  if (problems.length > 0) throw invalidRequest(problems);
  return kept;
}

function sealed(
  { seal, open }: Sealer,
  secret: unknown,
  { path, before }: { readonly path: readonly string[]; readonly before: unknown },
): unknown {
  if (typeof secret !== 'string' || sealedPart(secret) !== undefined) return secret;
  if (path[0] === 'proxy' && !hasUserInfo(secret)) return secret;
  const part = typeof before === 'string' ? sealedPart(before) : undefined;
  return part !== undefined && open(part) === secret ? before : sealedText(seal(secret));
}

/** The address of a proxy without a password is no secret. */
function hasUserInfo(proxy: string): boolean {
  const url = URL.parse(proxy);
  return url !== null && (url.username !== '' || url.password !== '');
}

function valueAt(members: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Members)[name] : undefined),
    members,
  );
}
