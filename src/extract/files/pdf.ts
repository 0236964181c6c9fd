import type { FileExtraction, FileProperties } from '../extraction.ts';
import { fileOf, paragraphsOf, unreadFile } from './file-status.ts';
import { tidyPages } from './pdf-text.ts';

const MAX_PAGES = 2_000;

// pdf.js asks for these at start; native addons, which would give them, are off in a parser child.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
  if (!(name in globalThis))
    Object.defineProperty(globalThis, name, { value: function Unavailable() {}, writable: true });
}
const { PasswordException, PDFParse } = await import('pdf-parse');

/** Text of a PDF, page by page, with the properties of its information dictionary. */
export async function readPdf(bytes: Uint8Array): Promise<FileExtraction> {
  const parser = new PDFParse({
    data: Uint8Array.from(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    verbosity: 0,
  });
  try {
    // The default joiner writes "-- 1 of 3 --" into the text.
    const { pages: read, total } = await parser.getText({ first: MAX_PAGES, pageJoiner: '\n', cellSeparator: ' ' });
    const { info } = await parser.getInfo();
    const pages = tidyPages(read.map(({ text }) => text));
    const blocks = pages.flatMap((page, index) => paragraphsOf(page.split('\n'), index + 1));
    const file = { properties: propertiesOf(info), blocks, pageCount: total };
    if (total <= MAX_PAGES) return fileOf(file, 'The pages have no text');
    return { ...unreadFile('over-limit', `The file has more than ${MAX_PAGES} pages`), ...file };
  } catch (error) {
    if (error instanceof PasswordException) return unreadFile('encrypted', 'The file needs a password');
    return unreadFile('malformed', 'The file is damaged');
  } finally {
    await parser.destroy();
  }
}

function propertiesOf(info: Readonly<Record<string, unknown>> | undefined): FileProperties {
  const textOf = (name: string) => {
    const value = info?.[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  return {
    title: textOf('Title'),
    author: textOf('Author'),
    created: isoOf(textOf('CreationDate')),
    modified: isoOf(textOf('ModDate')),
  };
}

/** `D:20261120101500+01'00'` (ISO 32000 section 7.9.4) → ISO 8601; undefined for anything else. */
function isoOf(text: string | undefined): string | undefined {
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(text ?? '');
  if (parts === null) return undefined;
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', utc = '', offset, offsetMinutes = '00'] =
    parts;
  if (hour === undefined) return `${year}-${month}-${day}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset === undefined ? utc : `${offset}:${offsetMinutes}`}`;
}
