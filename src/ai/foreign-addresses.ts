import type { AnalysedQuestion } from './question-types.ts';

/** Top-level domains that many addresses have, and those of examples (RFC 2606). Others are seen by what stands around. */
const COMMON = 'com|net|org|io|info|biz|xyz|app|dev|shop|online|site|top|click|link|co|example|test|invalid';
const HOST = String.raw`[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.[\p{L}]{2,24}`;
/** With a scheme, a path or a mailbox, or of a common domain; `Node.js` and `index.html` are names. */
const ADDRESS = new RegExp(
  String.raw`(?<![\p{L}\p{N}@.-])(?:[a-z][a-z0-9+.-]{1,20}:(?:\/\/)?(?=\S{0,200}?\.)\S+|(?:[\w.+-]+@|\/\/|www\.)${HOST}\S*|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.(?:${COMMON})(?![\p{L}\p{N}-])\S*|\p{L}[\p{L}\p{N}-]*(?:\.\p{L}[\p{L}\p{N}-]+)+\/\S+)`,
  'giu',
);
const HOST_IN = new RegExp(HOST, 'iu');

/**
 * The text without the addresses of other sites than those of `urls`: links, mailboxes, hosts and scripts; the same text
 * when it has none. Linear.
 */
export function withoutForeignAddresses(text: string, urls: readonly string[]): string {
  const hosts = new Set(urls.filter((url) => URL.canParse(url)).map((url) => bareHost(new URL(url).hostname)));
  return text.replace(ADDRESS, (address) => (isOf(address, hosts) ? address : ''));
}

/** Of one of the hosts, or of what one of them is a part of. */
function isOf(address: string, hosts: ReadonlySet<string>): boolean {
  const [host] = HOST_IN.exec(address.replace(/^[^@]*@/, '')) ?? [];
  if (host === undefined) return false;
  const named = bareHost(host);
  return [...hosts].some((known) => known === named || known.endsWith(`.${named}`) || named.endsWith(`.${known}`));
}

function bareHost(host: string): string {
  return host.toLowerCase().replace(/^www\./, '');
}

/** Whether an address is part of what is asked for: a value, and a summary but of how to reach somebody, have none. */
export function wantsAddresses(
  { type, asksFor, intent }: Pick<AnalysedQuestion, 'type' | 'asksFor' | 'intent'>,
  purpose: 'answer' | 'summary',
): boolean {
  if (asksFor === 'email' || asksFor === 'phone' || intent === 'contact') return true;
  return purpose === 'answer' && type !== 'number' && type !== 'date';
}
