import type { FileBlock } from '../extraction.ts';
import { paragraphsOf } from './file-status.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';

const MAX_TEXTS = 2_000;

/** Texts of a diagram (`diagramData`) as one list. */
export function diagramBlocks(xml: string): readonly FileBlock[] {
  return listOf(paragraphsIn(xml));
}

/** Titles of a chart and its axes; its labels and values are data, as those of a picture are. */
export function chartBlocks(xml: string): readonly FileBlock[] {
  return paragraphsOf(paragraphsIn(xml));
}

/**
 * Text of the paragraphs of DrawingML (`a:p`), those without text and those of controls left out: shapes that run
 * a macro (ECMA-376 part 1, 20.5.2.29), and stand-ins for form controls.
 */
export function paragraphsIn(xml: string): readonly string[] {
  const texts: string[] = [];
  let paragraph = '';
  let isText = false;
  let skipped = 0;
  let isControl = false;
  scanXml(xml, {
    isDone: () => texts.length >= MAX_TEXTS,
    open: (name, attributes) => {
      const local = localName(name);
      if (skipped > 0 || local === 'Fallback') skipped++;
      if (local === 'sp') isControl = (attributeOf(attributes, 'macro') ?? '') !== '';
      else if (local === 'compatExt') isControl = true;
      if (name === 'a:p') paragraph = '';
      isText = name === 'a:t' && skipped === 0 && !isControl;
      if (name === 'a:br') paragraph += ' ';
    },
    text: (text) => {
      if (isText) paragraph += text;
    },
    close: (name) => {
      isText = false;
      skipped = Math.max(0, skipped - 1);
      if (name !== 'a:p') return;
      const text = paragraph.replace(/\s+/g, ' ').trim();
      if (text !== '') texts.push(text);
      paragraph = '';
    },
  });
  return texts;
}

function listOf(texts: readonly string[]): readonly FileBlock[] {
  return texts.length === 0 ? [] : [{ kind: 'list', level: 0, text: texts.join('\n'), grounding: true }];
}
