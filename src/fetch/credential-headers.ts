import type { Credentials } from './fetcher.ts';

/** Headers of a crawler's credentials for one request; none for an origin that does not get them. */
export function credentialHeaders(url: string, credentials: Credentials | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined || !credentials.goTo(new URL(url).origin)) return {};
  const cookies = new Map([...Object.entries(credentials.cookies), ...credentials.jar.cookiesFor(url)]);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return cookie === '' ? credentials.headers : { ...credentials.headers, cookie };
}
