import type { PageSettings } from './page-settings.ts';

/** Members of the public settings. Contract: 7. */
export type TrackingSettings = {
  readonly optOutCookieTracking: boolean;
  readonly enableAnonymousTracking: boolean;
};

const CAREFUL: TrackingSettings = { optOutCookieTracking: true, enableAnonymousTracking: true };

/** What the engine's operator allows to be told about visitors. Without an answer: nothing. */
export async function readTrackingSettings(settings: PageSettings): Promise<TrackingSettings> {
  const address = `/api/v3/${settings.customerId}/${settings.engineId}/websites/publicsettings`;
  try {
    const response = await fetch(address, { headers: { authorization: `SiteKey ${settings.siteKey}` } });
    return response.ok ? await response.json() : CAREFUL;
  } catch {
    return CAREFUL;
  }
}
