import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readWord } from '../../../../src/extract/files/word.ts';
import { readWordByMammoth } from '../../../../src/extract/files/word-by-mammoth.ts';
import { docxOf, paragraph, zipOf } from '../../../helpers/sample-files.ts';

const styled = (style: string, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const numbered = (text: string, depth = 0, list = 1) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;

const STYLES = `<w:styles NAMESPACES>
  <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="A"><w:name w:val="a"/><w:basedOn w:val="B"/></w:style>
  <w:style w:type="paragraph" w:styleId="B"><w:name w:val="b"/><w:basedOn w:val="A"/></w:style>
</w:styles>`;
const level = (depth: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const NUMBERING = `<w:numbering NAMESPACES>
  <w:abstractNum w:abstractNumId="7">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}${level(2, 'upperRoman', '%3')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="8">${level(0, 'bullet', '')}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
</w:numbering>`;

async function read(body: string, parts: Readonly<Record<string, string>> = {}) {
  const { blocks } = await readWord(docxOf(body, parts));
  return blocks.map(({ kind, level: depth, text, grounding }) =>
    [kind, ...(kind === 'heading' ? [depth] : []), text, ...(grounding ? [] : ['hidden'])].join(': '),
  );
}

test.each<[string, string, string[]]>([
  [
    'styles of any language',
    styled('berschrift1', 'One') + styled('Kapitel', 'Two') + styled('Own', 'Three'),
    ['heading: 1: One', 'heading: 1: Two', 'heading: 3: Three'],
  ],
  ['styles that follow each other in a ring', styled('A', 'Text'), ['paragraph: Text']],
  [
    'lists with their numbers',
    numbered('a') + numbered('b', 1) + numbered('c', 2) + numbered('d', 1) + numbered('e'),
    ['list: 1. a\n  1.a) b\n    I c\n  1.b) d\n2. e'],
  ],
  ['bullets', numbered('a', 0, 2) + numbered('b', 0, 2), ['list: a\nb']],
  ['a paragraph taken out of its list', numbered('a', 0, 0), ['paragraph: a']],
  [
    'tables of data',
    `<w:tbl>${row(paragraph('Country'), paragraph('Days'))}${row(paragraph('Norway'), paragraph('4'))}</w:tbl>`,
    ['table: Country | Days\nNorway | 4'],
  ],
  [
    'tables that place text',
    `<w:tbl>${row(paragraph('One') + paragraph('Two'))}</w:tbl>`,
    ['paragraph: One', 'paragraph: Two'],
  ],
  [
    'tables in tables',
    `<w:tbl>${row(paragraph('A'), `<w:tbl>${row(paragraph('B'), paragraph('C'))}</w:tbl>`)}</w:tbl>`,
    ['table: A | B | C'],
  ],
  [
    'deleted text, field codes and stand-ins',
    [
      '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r>',
      '<w:r><mc:AlternateContent><mc:Choice><w:t>new</w:t></mc:Choice><mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>',
    ].join(''),
    ['paragraph: new'],
  ],
  [
    'breaks, tabs and hyphens',
    '<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>',
    ['paragraph: a b\nc-d'],
  ],
  [
    'a text box within a paragraph',
    `<w:p><w:r><w:t>Around </w:t><w:txbxContent>${paragraph('In the box')}</w:txbxContent></w:r><w:r><w:t>it</w:t></w:r></w:p>`,
    ['paragraph: In the box', 'paragraph: Around it'],
  ],
  [
    'text that Word does not show',
    '<w:p><w:r><w:t>Seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>Unseen</w:t></w:r></w:p>',
    ['paragraph: Seen', 'paragraph: Unseen: hidden'],
  ],
])('%s', async (_, body, blocks) => {
  expect(await read(body, { 'styles.xml': STYLES, 'numbering.xml': NUMBERING })).toEqual(blocks);
});

test('notes follow at the end', async () => {
  const notes = `<w:footnotes NAMESPACES><w:footnote>${paragraph('A note')}</w:footnote></w:footnotes>`;
  expect(await read(paragraph('Text'), { 'footnotes.xml': notes })).toEqual(['paragraph: Text', 'paragraph: A note']);
});

test('links have their targets', async () => {
  const relations =
    '<Relationships><Relationship Id="rId5" Type="x/hyperlink" Target="https://site.example/terms" TargetMode="External"/></Relationships>';
  const body = '<w:p><w:hyperlink r:id="rId5"><w:r><w:t>Terms of sale</w:t></w:r></w:hyperlink></w:p>';
  const { links } = await readWord(docxOf(body, { '_rels/document.xml.rels': relations }));
  expect(links).toEqual([{ url: 'https://site.example/terms', text: 'Terms of sale' }]);
});

test('fields that are links have their addresses, and their codes are no text', async () => {
  const run = (inner: string) => `<w:r>${inner}</w:r>`;
  const mark = (type: string) => run(`<w:fldChar w:fldCharType="${type}"/>`);
  const code = (text: string) => run(`<w:instrText>${text}</w:instrText>`);
  const field = (text: string, shown: string) =>
    mark('begin') + code(text) + mark('separate') + run(`<w:t>${shown}</w:t>`) + mark('end');
  const body =
    `<w:p>${field('HYPERLINK "https://site.example/a" \\o "A"', `See ${''}`)}${field('PAGE', '4')}</w:p>` +
    `<w:p><w:fldSimple w:instr="HYPERLINK &quot;https://site.example/b&quot;">${run('<w:t>there</w:t>')}</w:fldSimple></w:p>` +
    `<w:p>${field('HYPERLINK \\l "place"', 'above')}</w:p>`;
  const { links, blocks } = await readWord(docxOf(body));
  expect(links).toEqual([
    { url: 'https://site.example/a', text: 'See' },
    { url: 'https://site.example/b', text: 'there' },
  ]);
  expect(blocks.map(({ text }) => text)).toEqual(['See 4', 'there', 'above']);
});

test('remarks and descriptions of pictures are searched and never quoted', async () => {
  const picture = (description: string) =>
    `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="${description}"/></wp:inline></w:drawing></w:r></w:p>`;
  const body = paragraph('Text') + ['A ramp by the door', 'C:\\pictures\\ramp.png', 'ramp.png'].map(picture).join('');
  const comments = `<w:comments NAMESPACES><w:comment w:author="Ada Holm">${paragraph('Is this still so?')}</w:comment></w:comments>`;
  const { blocks } = await readWord(docxOf(body, { 'comments.xml': comments }));
  expect(blocks.map(({ text, grounding }) => [text, grounding])).toEqual([
    ['Text', true],
    ['A ramp by the door', false],
    ['Is this still so?', false],
  ]);
});

test('mammoth tells headings, paragraphs and notes of a plain document, and adds no words', async () => {
  const note = `<w:footnotes NAMESPACES><w:footnote w:id="1">${paragraph('A note')}</w:footnote></w:footnotes>`;
  const relations =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/></Relationships>';
  const body = `${styled('Heading1', 'Guide')}${paragraph('Text')}<w:p><w:r><w:t>Noted</w:t><w:footnoteReference w:id="1"/></w:r></w:p>`;
  const { blocks } = await readWordByMammoth(
    docxOf(body, { 'footnotes.xml': note, '_rels/document.xml.rels': relations }),
  );
  expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
    ['heading', 'Guide'],
    ['paragraph', 'Text'],
    ['paragraph', 'Noted'],
    ['list', 'A note'],
  ]);
});

test('numbers of lists are told, which mammoth leaves out', async () => {
  const { blocks } = await readWord(docxOf(numbered('first') + numbered('second'), { 'numbering.xml': NUMBERING }));
  expect(blocks.map(({ text }) => text)).toEqual(['1. first\n2. second']);
});

test.each<[string, Buffer, string]>([
  ['no document', zipOf([{ name: 'word/other.xml', content: Buffer.from('x') }]), 'malformed'],
  ['no text', docxOf('<w:p/>'), 'empty'],
  ['no zip', Buffer.from('PK\x03\x04 and nothing more'), 'malformed'],
])('%s settles', async (_, bytes, status) => {
  expect(await readWord(bytes)).toMatchObject({ status, blocks: [] });
});

test('a few words of a text box are read with the document around them', async () => {
  const box = `<w:p><w:r><w:txbxContent>${paragraph('Ring twice')}</w:txbxContent></w:r></w:p>`;
  const { blocks, notes } = await readWord(docxOf(paragraph('The depot is open. '.repeat(10)) + box));
  expect([blocks.at(-1)?.text, notes]).toEqual(['Ring twice', []]);
});

test('a document that is too much for mammoth is not given to it', async () => {
  expect(await readWordByMammoth(docxOf(paragraph('x'.repeat(1024 * 1024))))).toMatchObject({ status: 'over-limit' });
});

test('the document may stand under another name', async () => {
  const document = `<w:document><w:body>${paragraph('Here')}</w:body></w:document>`;
  const { blocks } = await readWord(zipOf([{ name: 'word/document2.xml', content: Buffer.from(document) }]));
  expect(blocks[0]?.text).toBe('Here');
});

test('a document cut anywhere, or with changed bytes, settles', async () => {
  const source = docxOf(styled('berschrift1', 'One') + numbered('a'), {
    'styles.xml': STYLES,
    'numbering.xml': NUMBERING,
  });
  const change = fc.tuple(fc.nat(source.length - 1), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), fc.nat(source.length), async (changes, size) => {
      const bytes = Buffer.from(source);
      for (const [at, value] of changes) bytes[at] = value;
      const cut = changes.length > 0 ? bytes : bytes.subarray(0, size);
      expect(['ok', 'empty', 'malformed', 'over-limit']).toContain((await readWord(cut)).status);
    }),
    { numRuns: 200 },
  );
});
