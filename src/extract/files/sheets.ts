import type { FileBlock, FileExtraction } from '../extraction.ts';
import { paragraphsIn } from './drawing-text.ts';
import { fileOf, paragraphsOf, unreadFile } from './file-status.ts';
import { readOfficeProperties } from './office-properties.ts';
import { mainPartOf, type OfficeRelation, partsOfType, relationIdOf, relationsOf } from './office-relations.ts';
import { cellFormats, sharedStrings } from './sheet-parts.ts';
import { readSheetXml, type SheetContext } from './sheet-text.ts';
import { tableBlocksOf } from './table-text.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import { openZip, type ZipArchive } from './zip.ts';

/** Cells of all sheets after which nothing is read (design: formats). */
const MAX_CELLS = 50_000;
/** More than a file may give; cells share their strings. */
const MAX_CHARS = 6 * 1024 * 1024;
const MAX_SHEETS = 1_000;

/** Names of sheets alone are no text. */
const EMPTY = { status: 'empty', reason: 'The workbook has no text' } as const;

type Sheet = { readonly name: string; readonly part: string; readonly isHidden: boolean };

/** Sheets of a workbook (XLSX and its kin): the name of each as a heading, its rows as a table, its text boxes. */
export function readSheets(bytes: Uint8Array): FileExtraction {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  const main = mainPartOf(archive, 'xl/workbook.xml');
  if (main === undefined) return unreadFile('malformed', 'The file has no workbook');
  const relations = relationsOf(archive, main);
  const { sheets, from1904 } = readWorkbook(archive.textOf(main), relations);
  const partText = (type: string) => archive.textOf(partsOfType(relations, type)[0] ?? '');
  const context: SheetContext = {
    strings: sharedStrings(partText('sharedStrings')),
    formats: cellFormats(partText('styles'), { from1904 }),
    cellsLeft: MAX_CELLS,
    charsLeft: MAX_CHARS,
    isCut: false,
  };
  const blocks: FileBlock[] = [];
  const links: { url: string; text: string }[] = [];
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    const read = readSheet(archive, sheet, context);
    blocks.push(...read.blocks);
    links.push(...read.links);
  }
  const read = { properties: readOfficeProperties(archive), blocks, links };
  const isEmpty = blocks.every(({ kind }) => kind === 'heading');
  const file = isEmpty ? { ...fileOf(read, ''), ...EMPTY } : fileOf(read, EMPTY.reason);
  const isCut = context.isCut || sheets.length > MAX_SHEETS;
  return isCut ? { ...file, status: 'over-limit', reason: 'The workbook has too many cells or too much text' } : file;
}

function readWorkbook(xml: string, relations: ReadonlyMap<string, OfficeRelation>) {
  const sheets: Sheet[] = [];
  let from1904 = false;
  scanXml(xml, {
    open: (name, attributes) => {
      const local = localName(name);
      if (local === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributeOf(attributes, 'date1904') ?? '');
      const relation = local === 'sheet' ? relations.get(relationIdOf(attributes) ?? '') : undefined;
      if (relation?.type !== 'worksheet') return;
      const state = attributeOf(attributes, 'state') ?? 'visible';
      const title = attributeOf(attributes, 'name') ?? '';
      sheets.push({ name: title, part: relation.target, isHidden: state !== 'visible' });
    },
  });
  return { sheets, from1904 };
}

function readSheet(archive: ZipArchive, { name, part, isHidden }: Sheet, context: SheetContext) {
  const relations = relationsOf(archive, part);
  const { rows, links } = readSheetXml(archive.textOf(part), context);
  const drawings = partsOfType(relations, 'drawing').flatMap((drawing) => paragraphsIn(archive.textOf(drawing)));
  const grounding = !isHidden;
  const blocks = [...tableBlocksOf(rows, grounding), ...paragraphsOf(drawings)];
  const title = name.trim() === '' ? [] : [{ kind: 'heading' as const, level: 1, text: name.trim(), grounding }];
  return {
    blocks: [...title, ...blocks.map((block) => ({ ...block, grounding }))],
    links: links.flatMap(({ relationId, text }) => {
      const relation = relations.get(relationId);
      return relation?.isExternal === true ? [{ url: relation.target, text }] : [];
    }),
  };
}
