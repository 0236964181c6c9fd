import type { PublicSettings } from './generated-types.ts';

/** What the engine's operator allows to be told about visitors. Contract: 7. */
export type TrackingSettings = Pick<PublicSettings, 'optOutCookieTracking' | 'enableAnonymousTracking'>;

export type Visitor = { readonly session: string; readonly device: 'mobile' | 'tablet' | 'desktop' | undefined };

/** Smallest side of a tablet's screen in CSS pixels: Android's qualifier `sw600dp`. */
const TABLET_SIDE_PX = 600;

/** The service stores no address for an event that states one in another form. Contract: 6.2. */
const NO_ADDRESS = 'none';

/**
 * A visit lasts as long as the page stays open: its number is kept in memory, nothing on the visitor's device. Random
 * bytes, because `crypto.randomUUID` is missing on pages without TLS.
 */
export function newVisitor(): Visitor {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { session: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''), device: deviceKind() };
}

/**
 * What an event says about the visitor. With anonymous tracking: nothing, and the address is not stored either. Where
 * cookie tracking is off: no session, for it ties events together as a cookie would.
 */
export function visitorValues(
  { optOutCookieTracking, enableAnonymousTracking }: TrackingSettings,
  { session, device }: Visitor,
): Readonly<Record<string, string>> {
  if (enableAnonymousTracking) return { ip: NO_ADDRESS };
  return {
    ...(device !== undefined && { dt: device }),
    ...(!optOutCookieTracking && { sid: session, qsid: session }),
  };
}

/** What a browser has, and a server has not. */
type Screen = {
  readonly matchMedia?: (query: string) => { readonly matches: boolean };
  readonly screen?: { readonly width: number; readonly height: number };
};

function deviceKind(): Visitor['device'] {
  const { matchMedia, screen } = globalThis as Screen;
  if (matchMedia === undefined || screen === undefined) return undefined;
  if (!matchMedia('(hover: none) and (pointer: coarse)').matches) return 'desktop';
  return Math.min(screen.width, screen.height) < TABLET_SIDE_PX ? 'mobile' : 'tablet';
}
