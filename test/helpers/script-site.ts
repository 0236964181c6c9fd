import type { IncomingMessage } from 'node:http';
import type { Behaviour } from './site-server.ts';

/** Different words for each page, so that no two are alike. */
export function wordsOf(name: string, count = 80): string {
  return Array.from({ length: count }, (_, place) => `${name}word${place}`).join(' ');
}

/** A page that holds nothing but a script, which fetches its text and its links. */
export function scriptPage(name: string): { readonly body: string } {
  return {
    body: `<!doctype html><html lang="en"><head><title>Shell</title></head><body><div id="root"></div><script>
fetch('/data/${name}').then((answer) => answer.json()).then(({ title, text, links }) => {
  document.title = title;
  root.innerHTML = '<main><h1>' + title + '</h1><p>' + text + '</p></main><nav>'
    + links.map((link) => '<a href="' + link + '">' + link + '</a>').join(' ') + '</nav>';
});</script></body></html>`,
  };
}

export function scriptData(name: string, links: readonly string[] = []): { readonly body: string } {
  return { body: JSON.stringify({ title: `Page ${name}`, text: wordsOf(name), links }) };
}

/** A page that looks as if scripts made it, and is all there. */
export function shyPage(name: string): { readonly body: string } {
  const body = `<h1>Short ${name}</h1><p>Seven words and ${name} say it all here.</p>`;
  return {
    body: `<!doctype html><html lang="en"><head><title>Short ${name}</title></head>
<body>${body}<noscript>Please enable JavaScript</noscript><script>var a = 1;</script></body></html>`,
  };
}

/** Browsers say what a request is for. */
export function isBrowser({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] !== undefined;
}

/** One page for HTTP, another behaviour for a browser. */
export function differently(http: Behaviour, browser: Behaviour): Behaviour {
  return (request, response, visit) => (isBrowser(request) ? browser : http)(request, response, visit);
}
