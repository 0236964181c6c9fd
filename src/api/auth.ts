import { knownId } from './match-route.ts';

/** What an `Authorization` header states, unverified. `unusable` covers every malformed or unknown form. */
export type Credentials =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'unusable' }
  | { readonly scheme: 'site-key'; readonly customerId: number; readonly engineId: number }
  | { readonly scheme: 'basic'; readonly customerId: number; readonly apiKey: string };

/** First customer id of the US region. Contract: 1.6.1. */
const FIRST_US_CUSTOMER = 10_000_000;
const HEADER = /^([A-Za-z]+) +([A-Za-z0-9+/]+)(={0,2})$/;
const UNUSABLE: Credentials = { scheme: 'unusable' };

/** Reads the header's values as sent; two headers are as unusable as two tokens. Contract: 1.6. */
export function readCredentials(values: readonly string[] | undefined): Credentials {
  const [value = ''] = values ?? [];
  if ((values?.length ?? 0) > 1) return UNUSABLE;
  if (value.trim() === '') return { scheme: 'none' };
  const match = HEADER.exec(value.trim());
  if (match === null) return UNUSABLE;
  const [, scheme = '', digits = '', padding = ''] = match;
  const text = decodeToken(digits, padding);
  if (text === undefined) return UNUSABLE;
  if (scheme.toLowerCase() === 'sitekey') return readSiteKey(text);
  return scheme.toLowerCase() === 'basic' ? readBasic(text) : UNUSABLE;
}

/** Whether this installation answers for the customer at all. Contract: 1.6.1. */
export function servesRegion(region: 'any' | 'eu' | 'us', customerId: number): boolean {
  return region === 'any' || (region === 'us') === customerId >= FIRST_US_CUSTOMER;
}

function decodeToken(digits: string, padding: string): string | undefined {
  const rest = digits.length % 4;
  if (rest === 1 || (padding !== '' && rest + padding.length !== 4)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(digits, 'base64'));
  } catch {
    return undefined;
  }
}

function readSiteKey(text: string): Credentials {
  const [customer, engine, literal, ...rest] = text.split(':');
  const customerId = knownId(customer);
  const engineId = knownId(engine);
  if (customerId === undefined || engineId === undefined || literal !== 'SearchKey' || rest.length > 0) return UNUSABLE;
  return { scheme: 'site-key', customerId, engineId };
}

function readBasic(text: string): Credentials {
  const colon = text.indexOf(':');
  const customerId = knownId(text.slice(0, Math.max(colon, 0)));
  const apiKey = text.slice(colon + 1);
  if (customerId === undefined || apiKey === '') return UNUSABLE;
  return { scheme: 'basic', customerId, apiKey };
}
