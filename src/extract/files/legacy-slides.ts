import type { FileBlock, FileExtraction } from '../extraction.ts';
import { fileOf, unreadFile, withMergedLists } from './file-status.ts';
import { openOle } from './ole.ts';
import { summaryOf } from './ole-properties.ts';
import { drawingBlocks, textBlocks } from './slide-drawing.ts';
import { type LegacySlideText, slideTexts } from './slide-paragraphs.ts';
import { readPersists, type SlidePersists } from './slide-persists.ts';
import { openSlideBudget, type SlideBudget, type SlideRecord, slideRecords } from './slide-records.ts';
import { MAX_SLIDES, notesBlocks, TOO_MANY_SLIDES } from './slide-text.ts';

/** An entry of the list of slides or of notes. */
type Entry = { readonly object: number; readonly id: number; readonly records: SlideRecord[] };

type Show = {
  readonly budget: SlideBudget;
  readonly persists: SlidePersists;
  readonly slides: readonly Entry[];
  readonly notes: ReadonlyMap<number, Entry>;
};

const SLIDE_LIST = 0x0ff0;
const SLIDES = 0;
const NOTES = 2;
const ENTRY = 0x03f3;

/** Text, notes and properties of slides of PowerPoint 97 to 2003 (MS-PPT), in the order of the show; a slide is a page. */
export function readLegacySlides(bytes: Uint8Array): FileExtraction {
  const ole = openOle(bytes);
  if (ole === undefined) return unreadFile('malformed', 'The slides have no directory');
  const { properties } = summaryOf(ole.streamOf('\u0005SummaryInformation'));
  const stream = bufferOf(ole.streamOf('PowerPoint Document'));
  if (stream === undefined) return { ...unreadFile('malformed', 'The file has no slides'), properties };
  const budget = openSlideBudget();
  const persists = readPersists(stream, bufferOf(ole.streamOf('Current User')), budget);
  if (persists.isEncrypted || ole.names.has('EncryptedSummary'))
    return { ...unreadFile('encrypted', 'The file needs a password'), properties };
  if (persists.document === undefined) return { ...unreadFile('malformed', 'The file has no slides'), properties };
  const show = readShow(persists.document, persists, budget);
  const blocks = show.slides.slice(0, MAX_SLIDES).flatMap((entry, index) => readSlide(show, entry, index + 1));
  const links = readLinks(persists.document, budget);
  const read = { properties, blocks: withMergedLists(blocks), pageCount: show.slides.length, links };
  const file = fileOf(read, 'The slides have no text');
  if (show.slides.length > MAX_SLIDES) return { ...file, ...TOO_MANY_SLIDES };
  return budget.isCut ? { ...file, status: 'over-limit', reason: 'The slides have too much text' } : file;
}

function bufferOf(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The lists of slides and notes (MS-PPT 2.4.14.3 and 2.4.14.6); an entry is followed by the texts of its places. */
function readShow(document: SlideRecord, persists: SlidePersists, budget: SlideBudget): Show {
  const slides: Entry[] = [];
  const notes = new Map<number, Entry>();
  for (const { type, instance, data } of slideRecords(document.data, budget)) {
    if (type !== SLIDE_LIST) continue;
    const entries = entriesOf(data, budget);
    for (const entry of entries) {
      if (instance === SLIDES) slides.push(entry);
      if (instance === NOTES) notes.set(entry.id, entry);
    }
  }
  return { budget, persists, slides, notes };
}

function entriesOf(list: Buffer, budget: SlideBudget): readonly Entry[] {
  const entries: Entry[] = [];
  for (const record of slideRecords(list, budget)) {
    const { type, data } = record;
    if (type === ENTRY && data.length >= 16)
      entries.push({ object: data.readUInt32LE(0), id: data.readUInt32LE(12), records: [] });
    else entries.at(-1)?.records.push(record);
  }
  return entries;
}

const SLIDE = 0x03ee;
const NOTES_PAGE = 0x03f0;
const SLIDE_ATOM = 0x03ef;
const SHOW_INFO = 0x03f9;
const HIDDEN = 0x0004;
const DRAWING = 0x040c;

function readSlide(show: Show, entry: Entry, page: number): readonly FileBlock[] {
  const { budget, persists, notes } = show;
  const outline = slideTexts(entry.records, budget);
  const slide = persists.objectOf(entry.object);
  const records = slide?.type === SLIDE ? [...slideRecords(slide.data, budget)] : [];
  const atom = records.find(({ type, data }) => type === SLIDE_ATOM && data.length >= 20);
  const info = records.find(({ type, data }) => type === SHOW_INFO && data.length >= 12);
  const isShown = info === undefined || (info.data.readUInt16LE(10) & HIDDEN) === 0;
  const drawn = drawnBlocks(records, outline, budget);
  const spoken = notes.get(atom?.data.readUInt32LE(16) ?? 0);
  const blocks = [...drawn, ...undrawnBlocks(outline, drawn), ...notesBlocks(spokenBlocks(show, spoken))];
  return blocks.map((block) => ({ ...block, page, grounding: block.grounding && isShown }));
}

function drawnBlocks(
  records: readonly SlideRecord[],
  outline: readonly LegacySlideText[],
  budget: SlideBudget,
): readonly FileBlock[] {
  return records.filter(({ type }) => type === DRAWING).flatMap(({ data }) => drawingBlocks(data, { budget, outline }));
}

/** Texts of the outline that no shape shows. */
function undrawnBlocks(outline: readonly LegacySlideText[], drawn: readonly FileBlock[]): readonly FileBlock[] {
  const shown = new Set(drawn.map(({ text }) => text.trim()));
  return outline.flatMap((text) => textBlocks(text, false)).filter(({ text }) => !shown.has(text.trim()));
}

function spokenBlocks({ persists, budget }: Show, entry: Entry | undefined): readonly FileBlock[] {
  const notes = entry === undefined ? undefined : persists.objectOf(entry.object);
  if (entry === undefined || notes?.type !== NOTES_PAGE) return [];
  return drawnBlocks([...slideRecords(notes.data, budget)], slideTexts(entry.records, budget), budget);
}

const OBJECT_LIST = 0x0409;
const LINK = 0x0fd7;
const TEXT = 0x0fba;
const NAME = 0;
const TARGET = 1;

/** Addresses that slides lead to, with the names that they were given (MS-PPT 2.10.16). */
function readLinks(document: SlideRecord, budget: SlideBudget): FileExtraction['links'] {
  const objects = [...slideRecords(document.data, budget)].find(({ type }) => type === OBJECT_LIST);
  const links =
    objects === undefined ? [] : [...slideRecords(objects.data, budget)].filter(({ type }) => type === LINK);
  return links.flatMap(({ data }) => {
    const texts = [...slideRecords(data, budget)].filter(({ type }) => type === TEXT);
    const part = (wanted: number) =>
      texts
        .find(({ instance }) => instance === wanted)
        ?.data.toString('utf16le')
        .replace(/\0.*$/s, '') ?? '';
    const url = part(TARGET);
    return /^[a-z][a-z0-9+.-]+:/i.test(url) ? [{ url, text: part(NAME) }] : [];
  });
}
