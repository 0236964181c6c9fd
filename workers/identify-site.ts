import { z } from 'zod';
import { adminOnMachine } from '../src/compose/installation.ts';
import type { Config } from '../src/config/config.ts';
import { operatorTokenPath, readSecretFile } from '../src/config/secret-file.ts';
import type { Log } from '../src/observability/logger.ts';

const PROBED = z.object({ language: z.string().nullable(), siteName: z.string().nullable() });
/** Of a site that does not answer; with room for the pages of one that does. */
const PROBE_WITHIN_MS = 20_000;

type Installation = {
  readonly config: Config;
  /** Where the api is. */
  readonly address: string;
  readonly log: Log;
};

/**
 * What a site says of itself. The api looks at it, by the pace that all crawlers of a host keep to. One that it cannot
 * look at is added all the same: its crawler tells why it is not crawled.
 */
export async function identifySite(url: string, { config, address, log }: Installation) {
  const token = config.OPERATOR_TOKEN ?? (await readSecretFile(operatorTokenPath(config.DATA_DIR)));
  try {
    const answer = await fetch(new URL('/admin/v1/probe', adminOnMachine(config, address)), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
      signal: AbortSignal.timeout(PROBE_WITHIN_MS),
    });
    if (!answer.ok) throw new Error(`the probe was answered ${answer.status}`);
    const { language, siteName } = PROBED.parse(await answer.json());
    return { language: language ?? undefined, siteName: siteName ?? undefined };
  } catch (err) {
    log.warn({ err, url }, 'the site could not be looked at: its engine is English until that is changed');
    return { language: undefined, siteName: undefined };
  }
}
