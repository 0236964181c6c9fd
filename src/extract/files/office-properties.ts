import type { FileProperties } from '../extraction.ts';
import { localName, scanXml } from './xml-scan.ts';
import type { ZipArchive } from './zip.ts';

const MAX_CHARS = 256 * 1024;
const MAX_VALUE_CHARS = 4_000;

/** Properties of an OOXML document (ECMA-376 part 2, core properties). */
export function readOfficeProperties(archive: ZipArchive): FileProperties {
  const part = [...archive.names].find((name) => /^docprops\/core\d*\.xml$/i.test(name));
  const values = part === undefined ? new Map<string, string>() : elementTexts(archive.textOf(part));
  return {
    title: values.get('title'),
    author: values.get('creator'),
    subject: values.get('subject'),
    keywords: values.get('keywords'),
    language: values.get('language'),
    created: values.get('created'),
    modified: values.get('modified'),
  };
}

/** First text of every element by its local name, without those that have none. */
export function elementTexts(xml: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let current = '';
  scanXml(xml.slice(0, MAX_CHARS), {
    open: (name) => {
      current = localName(name);
    },
    text: (text) => {
      const value = text.trim().slice(0, MAX_VALUE_CHARS);
      if (value !== '' && current !== '' && !values.has(current)) values.set(current, value);
    },
    close: () => {
      current = '';
    },
  });
  return values;
}
