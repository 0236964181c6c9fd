import type { FileExtraction } from '../extraction.ts';
import { chartBlocks, diagramBlocks, fileOf, unreadFile, withMergedLists } from './file-status.ts';
import { MAX_SLIDES, notesBlocks, readSlideXml, type SlideText, TOO_MANY_SLIDES } from './legacy/slide-text.ts';
import { mainPartOf, partsOfType, readOfficeProperties, relationIdOf, relationsOf } from './office-relations.ts';
import { localName, scanXml } from './xml-scan.ts';
import { openZip, type ZipArchive } from './zip.ts';

/** More than a file may give; slides may share their parts. */
const MAX_CHARS = 6 * 1024 * 1024;

/** Text, notes and properties of slides (PPTX and its kin), in the order of the show; a slide is a page. */
export function readSlides(bytes: Uint8Array): FileExtraction {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  const parts = slideParts(archive);
  if (parts === undefined) return unreadFile('malformed', 'The file has no slides');
  const slides: Pick<SlideText, 'blocks' | 'links'>[] = [];
  let charsLeft = MAX_CHARS;
  for (const [index, part] of parts.slice(0, MAX_SLIDES).entries()) {
    if (charsLeft <= 0) break;
    const slide = readSlide(archive, part, index + 1);
    charsLeft -= slide.blocks.reduce((chars, { text }) => chars + text.length, 0);
    slides.push(slide);
  }
  const read = {
    properties: readOfficeProperties(archive),
    blocks: withMergedLists(slides.flatMap(({ blocks }) => blocks)),
    pageCount: parts.length,
    links: slides.flatMap(({ links }) => links),
  };
  const file = fileOf(read, 'The slides have no text');
  if (parts.length > MAX_SLIDES) return { ...file, ...TOO_MANY_SLIDES };
  return charsLeft <= 0 ? { ...file, status: 'over-limit', reason: 'The slides have too much text' } : file;
}

/** Slides as the presentation lists them; by their numbers when it does not. */
function slideParts(archive: ZipArchive): readonly string[] | undefined {
  const main = mainPartOf(archive, 'ppt/presentation.xml');
  const relations = main === undefined ? new Map() : relationsOf(archive, main);
  const listed: string[] = [];
  scanXml(main === undefined ? '' : archive.textOf(main), {
    open: (name, attributes) => {
      if (localName(name) !== 'sldId') return;
      const target = relations.get(relationIdOf(attributes) ?? '')?.target;
      if (target !== undefined && archive.names.has(target)) listed.push(target);
    },
  });
  if (listed.length > 0) return listed;
  const numbered = [...archive.names]
    .map((name) => ({ name, number: Number(/^ppt\/slides\/slide(\d+)\.xml$/i.exec(name)?.[1] ?? Number.NaN) }))
    .filter(({ number }) => !Number.isNaN(number))
    .sort((a, b) => a.number - b.number);
  return numbered.length === 0 && main === undefined ? undefined : numbered.map(({ name }) => name);
}

function readSlide(archive: ZipArchive, part: string, page: number): Pick<SlideText, 'blocks' | 'links'> {
  const relations = relationsOf(archive, part);
  const slide = readSlideXml(archive.textOf(part), relations);
  const drawings = [
    ...partsOfType(relations, 'diagramData').flatMap((name) => diagramBlocks(archive.textOf(name))),
    ...partsOfType(relations, 'chart').flatMap((name) => chartBlocks(archive.textOf(name))),
  ];
  const notes = partsOfType(relations, 'notesSlide').map((name) =>
    readSlideXml(archive.textOf(name), relationsOf(archive, name)),
  );
  const blocks = [...slide.blocks, ...drawings, ...notesBlocks(notes.flatMap((note) => note.blocks))];
  return {
    blocks: blocks.map((block) => ({ ...block, page, grounding: block.grounding && slide.isShown })),
    links: [...slide.links, ...notes.flatMap(({ links }) => links)],
  };
}
