import { decodeText } from './charset.ts';
import {
  type ExtractInput,
  type Extraction,
  FILE_KINDS,
  type FileKind,
  type MediaKind,
  type ParseFile,
  TEXT_KINDS,
  type TextKind,
  type UnreadKind,
} from './extraction.ts';
import { extractFile } from './files/extract-file.ts';
import { unreadFile } from './files/file-status.ts';
import { readTextFile } from './files/read-text-file.ts';
import { builtInModel, type ContentModel } from './html/content-model.ts';
import { extractPage } from './html/extract-page.ts';
import { mediaKindOf } from './media-type.ts';

export type ExtractDeps = {
  readonly parseFile: ParseFile;
  /** The product's own when absent. */
  readonly contentModel?: ContentModel | undefined;
};

/**
 * The document, links and directives of a page or file. The same input gives the same result; nothing that the body
 * holds makes it throw: what cannot be read is a status with a reason. Rejects by the signal only.
 */
export async function extract(deps: ExtractDeps, input: ExtractInput, signal: AbortSignal): Promise<Extraction> {
  const { body, url, headers } = input;
  const media = mediaKindOf({ body, contentType: headers.contentType, url });
  if (media === 'html' || media === 'xml') {
    const decoded = decodeText(body, headers.contentType);
    return extractPage(deps.contentModel ?? builtInModel(), input, { decoded, media });
  }
  if (isFileKind(media)) return extractFile(input, await deps.parseFile(body, media, signal), media);
  if (isTextKind(media)) {
    const decoded = decodeText(body, headers.contentType);
    return extractFile(input, readTextFile(decoded, media), media, decoded.charset);
  }
  if (media === 'encrypted-office')
    return extractFile(input, unreadFile('encrypted', 'The file needs a password'), media);
  return extractFile(input, unreadFile('unsupported', UNREAD[media]), media);
}

function isFileKind(media: MediaKind): media is FileKind {
  return (FILE_KINDS as readonly MediaKind[]).includes(media);
}

function isTextKind(media: MediaKind): media is TextKind {
  return (TEXT_KINDS as readonly MediaKind[]).includes(media);
}

const UNREAD: Readonly<Record<UnreadKind, string>> = {
  sitemap: 'A sitemap is a list of pages, no document',
  feed: 'A feed is a list of pages, no document',
  xlsb: 'Binary workbooks (xlsb) are not supported: save the file as xlsx',
  unsupported: 'The format is not supported',
};
