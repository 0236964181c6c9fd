/** Texts that run `fired()` in a page that writes them as HTML, an attribute or an address without care. */
const PAYLOADS = [
  '<script>fired()</script>',
  '</script><script>fired()</script>',
  '<img src=x onerror=fired()>',
  '<svg onload=fired()>',
  '<svg><script>fired()</script></svg>',
  '"><img src=x onerror=fired()>',
  "'><img src=x onerror=fired()>",
  '" onmouseover="fired()" x="',
  "' onfocus='fired()' autofocus='",
  '" autofocus onfocus=fired() tabindex=1 x="',
  '<iframe srcdoc="<script>parent.fired()</script>"></iframe>',
  '<a href="javascript:fired()">solar</a>',
  '<b onmouseover=fired()>solar</b>',
  '</b></a></li></ul><img src=x onerror=fired()>',
  '<style>@import "javascript:fired()";</style>',
  '<!--><img src=x onerror=fired()>-->',
  '<![CDATA[<img src=x onerror=fired()>]]>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=fired()>',
  '<object data="javascript:fired()"></object>',
  '<base href="javascript:/fired()//">',
  '&lt;script&gt;fired()&lt;/script&gt;',
  '&#60;img src=x onerror=fired()&#62;',
  '\u0000<img src=x onerror=fired()>',
  '\u2028<script>fired()</script>',
  '`><img src=x onerror=fired()>',
] as const;

const ADDRESSES = [
  'javascript:fired()',
  'JaVaScRiPt:fired()',
  ' javascript:fired()',
  '\u0001javascript:fired()',
  'java\nscript:fired()',
  'java\tscript:fired()',
  'javascript\r:fired()',
  'data:text/html,<script>parent.fired()</script>',
  'vbscript:fired()',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'view-source:javascript:fired()',
  'https://example.com/"onmouseover="fired()',
  "https://example.com/'onmouseover='fired()",
  'https://example.com/"><script>fired()</script>',
] as const;

/** 25 texts around the word that finds them × 4 neighbourhoods. */
export const HOSTILE_TEXTS: readonly string[] = PAYLOADS.flatMap((payload) => [
  payload,
  `solar ${payload}`,
  `${payload} solar`,
  `so${payload}lar solar ${payload}`,
]);

export const HOSTILE_ADDRESSES: readonly string[] = ADDRESSES;

/** Documents whose every field, and the name of one, is such a text; found by `solar`. */
export const HOSTILE_DOCUMENTS = HOSTILE_TEXTS.map((text, index) => ({
  id: `${index} ${text}`,
  fields: {
    Title: `solar ${text}`,
    Url: ADDRESSES[index % ADDRESSES.length] ?? '',
    Description: index % 2 === 0 ? text : '',
    Content: `solar ${text} panels`,
    Category: text,
    [text]: text,
  },
}));
