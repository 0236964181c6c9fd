import type { FileBlock, FileExtraction } from '../extraction.ts';
import { paragraphsIn } from './drawing-text.ts';
import { unreadFile } from './file-status.ts';
import { readOfficeProperties } from './office-properties.ts';
import { mainPartOf, type OfficeRelation, partsOfType, relationIdOf, relationsOf } from './office-relations.ts';
import { cellFormats, sharedStrings } from './sheet-parts.ts';
import { readSheetXml, type SheetContext } from './sheet-text.ts';
import { MAX_SHEETS, openBudget, type SheetName, sheetBlocks, takeCell, workbookFile } from './workbook-file.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import { openZip, type ZipArchive } from './zip.ts';

type Sheet = SheetName & { readonly part: string };

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
    ...openBudget(),
  };
  const blocks: FileBlock[] = [];
  const links: { url: string; text: string }[] = [];
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    const read = readSheet(archive, sheet, context);
    blocks.push(...read.blocks);
    links.push(...read.links);
  }
  const isCut = context.isCut || sheets.length > MAX_SHEETS;
  return workbookFile({ properties: readOfficeProperties(archive), blocks, links }, { isCut });
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

function readSheet(archive: ZipArchive, sheet: Sheet, context: SheetContext) {
  const { part } = sheet;
  const relations = relationsOf(archive, part);
  const { rows, links } = readSheetXml(archive.textOf(part), context);
  const drawings = context.isCut ? [] : partsOfType(relations, 'drawing');
  // Sheets may share a drawing.
  const texts = drawings
    .flatMap((drawing) => paragraphsIn(archive.textOf(drawing)))
    .filter((text) => takeCell(context, text));
  return {
    blocks: sheetBlocks(sheet, rows, texts),
    links: links.flatMap(({ relationId, text }) => {
      const relation = relations.get(relationId);
      return relation?.isExternal === true ? [{ url: relation.target, text }] : [];
    }),
  };
}
