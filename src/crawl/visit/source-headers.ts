import type { ExtractSettings, SourceHeaders } from '../../extract/extraction.ts';
import type { FetchedResource } from '../../fetch/fetcher.ts';

/** What a response says about its body, as extraction by these settings reads it. */
export function sourceHeaders(
  { headers }: Pick<FetchedResource, 'headers'>,
  { headers: names }: Pick<ExtractSettings, 'headers'>,
): SourceHeaders {
  return {
    contentType: headers.get('content-type'),
    contentLanguage: headers.get('content-language'),
    contentDisposition: headers.get('content-disposition'),
    lastModified: headers.get('last-modified'),
    robots: headers.get('x-robots-tag'),
    link: headers.get('link'),
    ...(names.length > 0 && { named: Object.fromEntries(names.map((name) => [name, headers.get(name) ?? ''])) }),
  };
}
