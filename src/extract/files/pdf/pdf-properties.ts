import type { FileProperties } from '../../extraction.ts';
import { attributeOf, localName, scanXml } from '../xml-scan.ts';

/** Properties by their names in the information dictionary (ISO 32000 table 317), then by the file's XMP packet. */
export function pdfProperties(property: (name: string) => string, bytes: Uint8Array): FileProperties {
  const packet = xmpProperties(bytes);
  const textOf = (name: string) => property(name).replace(/\0/g, '').trim() || undefined;
  return {
    title: textOf('Title') ?? packet.get('title'),
    author: textOf('Author') ?? packet.get('creator'),
    subject: textOf('Subject') ?? packet.get('description'),
    keywords: textOf('Keywords') ?? packet.get('Keywords'),
    language: packet.get('language'),
    created: isoOf(textOf('CreationDate')) ?? packet.get('CreateDate'),
    modified: isoOf(textOf('ModDate')) ?? packet.get('ModifyDate'),
  };
}

/** `D:20261120101500+01'00'` (ISO 32000 section 7.9.4) → ISO 8601; undefined for anything else. */
export function isoOf(text: string | undefined): string | undefined {
  const parts = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(text ?? '');
  if (parts === null) return undefined;
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', utc = '', offset, offsetMinutes = '00'] =
    parts;
  if (hour === undefined) return `${year}-${month}-${day}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset === undefined ? utc : `${offset}:${offsetMinutes}`}`;
}

const PACKET_START = '<x:xmpmeta';
const PACKET_END = '</x:xmpmeta>';
const MAX_PACKETS = 100;
const MAX_PACKET_BYTES = 256 * 1024;
/** The packet of the document names it; those of its pictures do not. */
const PDF_NAMESPACE = 'http://ns.adobe.com/pdf/1.3/';
const WANTED: ReadonlySet<string> = new Set([
  'title',
  'creator',
  'description',
  'language',
  'Keywords',
  'CreateDate',
  'ModifyDate',
]);

/** First value of each wanted property of the last packet of the document that stands uncompressed in the file. */
function xmpProperties(bytes: Uint8Array): ReadonlyMap<string, string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let values: ReadonlyMap<string, string> = new Map();
  let at = buffer.indexOf(PACKET_START);
  for (let packets = 0; at >= 0 && packets < MAX_PACKETS; packets++) {
    const end = buffer.indexOf(PACKET_END, at);
    if (end < 0) break;
    const packet = buffer.toString('utf8', at, Math.min(end, at + MAX_PACKET_BYTES));
    if (packet.includes(PDF_NAMESPACE)) values = readPacket(packet);
    at = buffer.indexOf(PACKET_START, end);
  }
  return values;
}

/** Values are attributes of a description, or the first text below an element. */
function readPacket(packet: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const add = (name: string, value: string | undefined) => {
    const text = value?.trim() ?? '';
    if (text !== '' && WANTED.has(name) && !values.has(name)) values.set(name, text);
  };
  let current = '';
  scanXml(packet, {
    open: (name, attributes) => {
      const own = localName(name);
      if (WANTED.has(own)) current = own;
      if (own !== 'Description') return;
      for (const attribute of ['xmp:CreateDate', 'xmp:ModifyDate', 'pdf:Keywords'])
        add(localName(attribute), attributeOf(attributes, attribute));
    },
    text: (text) => add(current, text),
    close: (name) => {
      if (localName(name) === current) current = '';
    },
  });
  return values;
}
