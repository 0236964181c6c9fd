import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { openRenderer } from '../../helpers/rendering.ts';
import { wordsOf } from '../../helpers/script-site.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

let renderer: Awaited<ReturnType<typeof openRenderer>>;
beforeAll(async () => {
  renderer = await openRenderer();
});
afterAll(() => renderer?.[Symbol.asyncDispose]());

const SETTINGS = { render: 'always', rendering: { settleMs: 100, timeoutMs: 3_000 } };

async function fieldsOf(body: string) {
  await using site = await startSiteServer({ '/': { body: `<!doctype html><title>Parts</title>${body}` } });
  await using crawl = await openCrawl({ ...SETTINGS, seeds: [`${site.origin}/`] }, { renderer });
  await crawl.crawl();
  const found = await crawl.store.findDocument(crawl.crawlerId, `${site.origin}/`);
  if (found === undefined) throw new Error('No document');
  const { surroundings = '', sections = [] } = found.structure ?? {};
  const quotable = sections
    .filter(({ grounding }) => grounding)
    .flatMap(({ blocks }) => blocks.map(({ text }) => text));
  return { content: found.fields.get('Content')?.[0] ?? '', surroundings, quotable: quotable.join('\n') };
}

test('text of open shadow roots is read where it is shown, with what is put into its slots', async () => {
  const { content } = await fieldsOf(`<main><h1>Parts</h1>
<x-card><p>${wordsOf('light')}</p><b slot="name">Named slot</b><i slot="nowhere">never shown</i></x-card></main>
<script>customElements.define('x-card', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({ mode: 'open' }).innerHTML = '<style>p{color:red}</style><h2>Card of shadows</h2>'
      + '<slot name="name"></slot><p>${wordsOf('shadow')}</p><slot>fallback</slot><slot name="empty">fallback text here</slot>';
  }
});</script>`);

  const at = (text: string) => content.indexOf(text);
  expect(at('Card of shadows')).toBeGreaterThanOrEqual(0);
  expect(at('shadowword79')).toBeGreaterThan(at('Named slot'));
  expect(at('lightword79')).toBeGreaterThan(at('shadowword79'));
  expect(at('fallback text here')).toBeGreaterThan(at('lightword79'));
  expect(content).not.toContain('never shown');
  expect(content).not.toContain('color:red');
});

test('marks in comments count for what scripts have put between them', async () => {
  const { content, surroundings } = await fieldsOf(`<main><h1>Parts</h1><p>${wordsOf('kept')}</p>
<div id="box"></div></main><script>box.innerHTML = '<!-- fossick_off --><p>${wordsOf('left')}</p><!-- fossick_on -->'</script>`);

  expect(content).toContain('keptword79');
  expect(content + surroundings).not.toContain('leftword');
});

test('what styles hide is never quoted, what they show is', async () => {
  const { quotable } =
    await fieldsOf(`<style>.gone{display:none} .late{opacity:0;animation:in 1ms forwards} @keyframes in{to{opacity:1}}</style>
<main><h1>Parts</h1><p>${wordsOf('shown')}</p><p class="gone">${wordsOf('hidden')}</p>
<p style="display:none" id="opened">${wordsOf('opened')}</p><p class="late">${wordsOf('late')}</p></main>
<script>opened.style.setProperty('display', 'block')</script>`);

  expect(quotable).toContain('shownword79');
  expect(quotable).toContain('openedword79');
  expect(quotable).toContain('lateword79');
  expect(quotable).not.toContain('hiddenword79');
});
