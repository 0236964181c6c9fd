import type { HostileInput } from './hostile-markup.ts';
import { biff, cells, longText, sharedStrings, xlsOf } from './legacy-sheet-files.ts';
import { pptOf, referredShape, slideRecord, slideShape, text } from './legacy-slide-files.ts';

const SENTENCE = 'Parcels are sent back within thirty days. ';

const file = (name: string, as: string, body: () => Uint8Array): HostileInput => ({
  name,
  file: as,
  contentType: '',
  body,
});
const firstHalf = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** Workbooks and slides of before 2007. */
export const LEGACY_OFFICE: readonly HostileInput[] = [
  file('an old workbook that says it has a billion strings', 'strings.xls', () =>
    xlsOf([{ name: 'S', records: [cells.shared(0, 0, 4_000_000_000), cells.label(0, 1, SENTENCE)] }], {
      globals: [biff(0xfc, Buffer.alloc(8, 0xff), ...Array.from({ length: 50 }, () => Buffer.alloc(8_000, 0xff)))],
    }),
  ),
  file('an old workbook of 1,000 sheets in each other', 'sheets.xls', () =>
    xlsOf(
      Array.from({ length: 1_000 }, () => ({ name: 'S', records: [biff(0x809, [0, 6, 16, 0])] })),
      { at: 0 },
    ),
  ),
  file('an old workbook of a string that every cell shares', 'share.xls', () =>
    xlsOf([{ name: 'S', records: Array.from({ length: 60_000 }, (_, row) => cells.shared(row, row % 7, 0)) }], {
      globals: [sharedStrings(1, longText(SENTENCE.repeat(1_000)))],
    }),
  ),
  file('an old workbook cut in the middle', 'cut.xls', () =>
    firstHalf(xlsOf([{ name: 'S', records: [cells.label(0, 0, SENTENCE)] }])),
  ),
  file('an old workbook of records that lie about their lengths', 'lengths.xls', () =>
    xlsOf([
      {
        name: 'S',
        records: [
          cells.label(0, 0, SENTENCE),
          Buffer.concat(Array.from({ length: 50_000 }, (_, i) => Buffer.of(0xfd, 0, i % 256, 255))),
        ],
      },
    ]),
  ),
  file('old slides whose edits go in circles', 'cycle.ppt', () =>
    pptOf([{ shapes: [slideShape(text(4, SENTENCE))] }], { before: 'itself' }),
  ),
  file('old slides of 50,000 groups in each other', 'groups.ppt', () => {
    const shape = slideShape(text(4, SENTENCE));
    // The same length in every header: each group reaches to the end of the file.
    const opened = Array.from({ length: 50_000 }, () => slideRecord(0xf003, Buffer.alloc(0)));
    for (const header of opened) header.writeUInt32LE(0x7fffffff, 4);
    return pptOf([{ shapes: [shape, ...opened, shape] }]);
  }),
  file('old slides of shapes that share a long text', 'share.ppt', () =>
    pptOf([
      { shapes: Array.from({ length: 20_000 }, () => referredShape(0)), outline: [text(4, SENTENCE.repeat(20_000))] },
    ]),
  ),
  file('old slides of 5,000 pages', 'many.ppt', () =>
    pptOf(Array.from({ length: 5_000 }, () => ({ shapes: [slideShape(text(4, SENTENCE))] }))),
  ),
  file('old slides cut in the middle', 'cut.ppt', () =>
    firstHalf(pptOf([{ shapes: [slideShape(text(4, SENTENCE))] }])),
  ),
];
