import { describe, expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { extract } from '../../../src/extract/extract.ts';
import { DEFAULT_EXTRACT_SETTINGS, type ParseFile } from '../../../src/extract/extraction.ts';
import { collectBlocks } from '../../../src/extract/html/blocks.ts';
import { parsePage } from '../../../src/extract/html/page-tree.ts';

/** How the words `the text` are seen: `visible`, `faded`, `hidden`, or `dropped` when they are no text at all. */
function seen(html: string, source: 'http' | 'rendered' = 'http'): string {
  const { blocks } = collectBlocks(parsePage(`<div>${html}</div>`, source));
  return blocks.find(({ text }) => text.includes('the text'))?.visibility ?? 'dropped';
}

const styled = (style: string) => `<p style="${style}">the text</p>`;

describe('what a reader can see', () => {
  test.each([
    ['nothing said', '<p>the text</p>', 'visible'],
    ['the attribute hidden', '<p hidden>the text</p>', 'hidden'],
    ['hidden until it is found', '<p hidden="until-found">the text</p>', 'visible'],
    ['aria-hidden', '<p aria-hidden="true">the text</p>', 'hidden'],
    ['aria-hidden that says no', '<p aria-hidden="false">the text</p>', 'visible'],
    ['display: none', styled('color: red; Display : NONE !important'), 'hidden'],
    ['visibility: hidden', styled('visibility:hidden'), 'hidden'],
    ['an element around it', '<div hidden><p>the text</p></div>', 'hidden'],
    ['opacity 0', styled('opacity: 0.0'), 'faded'],
    ['opacity .5', styled('opacity: .5'), 'visible'],
    ['collapsed in a tab panel', '<div role="tabpanel" hidden><p>the text</p></div>', 'visible'],
    ['collapsed in details', '<details><div style="display:none">the text</div></details>', 'visible'],
    ['collapsed by a control', '<button aria-controls="x a">+</button><p id="a" hidden>the text</p>', 'visible'],
    ['not the one that a control names', '<button aria-controls="x">+</button><p id="a" hidden>the text</p>', 'hidden'],
    ['collapsed by class', '<div class="accordion-body" hidden>the text</div>', 'visible'],
    ['collapsed by class in camel case', '<div class="tabContent" hidden>the text</div>', 'visible'],
    ['collapsed by class of a block', '<div class="faq__answer" hidden>the text</div>', 'visible'],
    ['collapsed by id above', '<div id="toggle-3"><div hidden>the text</div></div>', 'visible'],
    ['a table is no tab', '<div class="table" hidden>the text</div>', 'hidden'],
    ['a class far above', '<div class="tab"><div><div><div><p hidden>the text</p></div></div></div></div>', 'hidden'],
    ['no letters', styled('font-size:0'), 'dropped'],
    ['letters of 1 px', styled('font-size: 1px'), 'dropped'],
    ['letters of .05 em', styled('font-size: .05em'), 'dropped'],
    ['letters of 2 px', styled('font-size: 2px'), 'visible'],
    ['letters of 1.5 em', styled('font-size: 1.5em'), 'visible'],
    ['off the screen to the left', styled('position:absolute;left:-9999px'), 'dropped'],
    ['off the screen by 10,000', styled('left:-10000px'), 'dropped'],
    ['off the screen in em', styled('text-indent:-999em'), 'dropped'],
    ['off the screen by a transform', styled('transform: translateX(-2000px)'), 'dropped'],
    ['a little to the left', styled('left:-20px'), 'visible'],
    ['far down a long page', styled('position:absolute;top:4200px'), 'visible'],
    ['on the right of a wide page', styled('position:absolute;left:1100px'), 'visible'],
    ['clipped to nothing', styled('clip: rect(0 0 0 0)'), 'dropped'],
    ['clipped to a pixel', styled('clip:rect(1px, 1px, 1px, 1px)'), 'dropped'],
    ['clipped to a box', styled('clip:rect(0px,60px,200px,0px)'), 'visible'],
    ['clipped by a path', styled('clip-path: inset(50%)'), 'dropped'],
    ['in the colour of its background', styled('color:#fff; background-color: white'), 'dropped'],
    ['in the colour of its background, otherwise', styled('background:#FFFFFF;color:rgb(255, 255, 255)'), 'dropped'],
    ['in another colour', styled('color:#fff;background:#000'), 'visible'],
    ['a comment', '<!-- the text -->', 'dropped'],
    ['a template', '<template>the text</template>', 'dropped'],
  ])('%s', (_, html, expected) => {
    expect(seen(html)).toBe(expected);
  });

  test.each([
    ['shown in spite of its attribute', '<p hidden data-fossick-visibility="visible">the text</p>', 'visible'],
    ['hidden by a style sheet', '<p data-fossick-visibility="hidden">the text</p>', 'hidden'],
    ['hidden in a tab', '<div class="tab" data-fossick-visibility="hidden">the text</div>', 'visible'],
    ['transparent', '<p data-fossick-visibility="faded">the text</p>', 'faded'],
    [
      'shown, but too small to see',
      '<p style="display:block;font-size:0" data-fossick-visibility="visible">the text</p>',
      'dropped',
    ],
  ])('in a browser: %s', (_, html, expected) => {
    expect(seen(html, 'rendered')).toBe(expected);
  });

  test('what a site says of itself in the name of the browser counts for nothing', () => {
    expect(seen('<p hidden data-fossick-visibility="visible">the text</p>')).toBe('hidden');
  });

  test.each(['\u200b', '\u00ad', '\u2060', '\ufeff', '\u202e', '\u{e0041}'])('%j is taken out of a text', (mark) => {
    expect(seen(`<p>the${mark} te${mark}xt</p>`)).toBe('visible');
  });
});

test('sections of text that a reader cannot see ground no answer, those behind a click do', async () => {
  const parseFile: ParseFile = () => Promise.reject(new Error('a page is no file'));
  const lines = ['plain', 'behind'].map((word) => `${word} words of a page that are read by everybody. `.repeat(5));
  const html = `<main><p>${lines[0]}</p><p class="accordion" hidden>${lines[1]}</p><p hidden data-fossick-include>unseen</p></main>`;
  const input = {
    url: 'https://a.example/',
    body: Buffer.from(html),
    headers: {},
    settings: DEFAULT_EXTRACT_SETTINGS,
    now: 0,
  };

  const { structure, fields, trace } = await extract({ parseFile }, input, new AbortController().signal);

  const grounding = structure.sections.map((section) => [
    section.grounding,
    section.blocks.map(({ text }) => text.slice(0, 6)),
  ]);
  expect(grounding).toEqual([
    [true, ['plain ', 'behind']],
    [false, ['unseen']],
  ]);
  expect(firstValue(fields, 'Content')).toContain('unseen');
  expect(trace.hiddenChars).toBe('unseen'.length);
});
