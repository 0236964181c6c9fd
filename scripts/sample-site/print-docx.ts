import { escapeHtml } from '../../src/core/escape-html.ts';
import { type Block, parseBlocks, plainText } from './blocks.ts';
import type { Content } from './read-content.ts';
import { writeZip } from './write-zip.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A Word document of headings, paragraphs, lists and tables. */
export function printDocx(content: Content): Uint8Array {
  const { title } = content;
  const body = [paragraph('Title', title), ...parseBlocks(content.text).map(printBlock)].join('\n');
  return writeZip({
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'word/document.xml': `${XML}<w:document xmlns:w="${WORD}"><w:body>\n${body}\n<w:sectPr/></w:body></w:document>`,
    'word/styles.xml': printStyles(content.language),
    'docProps/core.xml': printProperties(content),
  });
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return paragraph(`Heading${block.level - 1}`, block.text);
    case 'paragraph':
    case 'quote':
      return paragraph('Normal', block.text);
    case 'list':
      return block.items
        .map((item, at) => paragraph('Normal', `${block.isOrdered ? `${at + 1}.` : '•'} ${item}`))
        .join('\n');
    case 'table': {
      const cell = (text: string) => `<w:tc><w:tcPr/>${paragraph('Normal', text)}</w:tc>`;
      const rows = block.rows.map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`);
      return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid/>${rows.join('')}</w:tbl>`;
    }
  }
}

function paragraph(style: string, text: string): string {
  const run = `<w:r><w:t xml:space="preserve">${escapeHtml(plainText(text))}</w:t></w:r>`;
  return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run}</w:p>`;
}

function printStyles(language: string): string {
  const style = (id: string, name: string, halfPoints: number, outline: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr><w:spacing w:after="120"/>${outline}</w:pPr><w:rPr><w:sz w:val="${halfPoints}"/></w:rPr></w:style>`;
  const styles = [
    style('Normal', 'Normal', 22, ''),
    style('Title', 'Title', 40, ''),
    style('Heading1', 'heading 1', 30, '<w:outlineLvl w:val="0"/>'),
    style('Heading2', 'heading 2', 26, '<w:outlineLvl w:val="1"/>'),
  ];
  const defaults = `<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="${language}"/></w:rPr></w:rPrDefault></w:docDefaults>`;
  return `${XML}<w:styles xmlns:w="${WORD}">${defaults}${styles.join('')}</w:styles>`;
}

function printProperties({ title, language, head }: Content): string {
  const created = `<dcterms:created xsi:type="dcterms:W3CDTF">${head['date']}T09:00:00Z</dcterms:created>`;
  const names = `xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`;
  const values = `<dc:title>${escapeHtml(title)}</dc:title><dc:creator>${escapeHtml(head['author'] ?? '')}</dc:creator><dc:language>${language}</dc:language>`;
  return `${XML}<cp:coreProperties ${names}>${values}${created}</cp:coreProperties>`;
}
