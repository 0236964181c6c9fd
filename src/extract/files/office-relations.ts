import type { FileProperties } from '../extraction.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import type { ZipArchive } from './zip.ts';

/** How one part of an OOXML file names another part, or the outside (ECMA-376 part 2, 9.3). */
export type OfficeRelation = {
  readonly id: string;
  /** Last segment of the type: `slide`, `hyperlink`; the same for the strict and the usual namespace. */
  readonly type: string;
  /** Name of a part in the archive; of a target outside as it is written. */
  readonly target: string;
  readonly isExternal: boolean;
};

const MAX_RELATIONS = 20_000;

/** Relations of a part by their ids, in their order; `''` is the file itself. */
export function relationsOf(archive: ZipArchive, part: string): ReadonlyMap<string, OfficeRelation> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const relations = new Map<string, OfficeRelation>();
  scanXml(archive.textOf(`${folder}_rels/${part.slice(folder.length)}.rels`), {
    isDone: () => relations.size >= MAX_RELATIONS,
    open: (name, attributes) => {
      if (localName(name) !== 'Relationship') return;
      const id = attributeOf(attributes, 'Id') ?? '';
      const type = (attributeOf(attributes, 'Type') ?? '').split('/').at(-1) ?? '';
      const target = attributeOf(attributes, 'Target') ?? '';
      const isExternal = attributeOf(attributes, 'TargetMode') === 'External';
      relations.set(id, { id, type, target: isExternal ? target : resolvePart(folder, target), isExternal });
    },
  });
  return relations;
}

/** Parts that a part names with one type of relation, in their order, each once. */
export function partsOfType(relations: ReadonlyMap<string, OfficeRelation>, type: string): readonly string[] {
  const named = [...relations.values()].filter((relation) => relation.type === type && !relation.isExternal);
  return [...new Set(named.map(({ target }) => target))];
}

/** The part that everything hangs on; `usual` when the file does not say. Undefined when there is none. */
export function mainPartOf(archive: ZipArchive, usual: string): string | undefined {
  const named = [...partsOfType(relationsOf(archive, ''), 'officeDocument'), usual];
  const found = named.find((name) => archive.names.has(name));
  return found ?? [...archive.names].find((name) => name.toLowerCase() === usual.toLowerCase());
}

/** Id of a relation in attributes, whatever its prefix is; a plain `id` is none. */
export function relationIdOf(attributes: string): string | undefined {
  return /\s[\w.-]+:id\s*=\s*["']([^"']*)["']/.exec(attributes)?.[1];
}

/** Target of a relation as a name in the archive: `..` and `.` resolved, nothing above the root. */
export function resolvePart(folder: string, target: string): string {
  const path = target.startsWith('/') ? target : `${folder}${target}`;
  const segments: string[] = [];
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

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
