import type { IncomingMessage, ServerResponse } from 'node:http';

const SITE = 'https://garden.example';

/** Texts as the service streams them, piece by piece; a question without one is refused politely. Contract: 4.3. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  'how often should I water a trough?': [
    `Water a trough **once a week** from May to September. [1](${SITE}/guides/alpine-troughs.html)`,
    ` Let the top two centimetres dry out first. [1](${SITE}/guides/`,
    'alpine-troughs.html)\n\nIn short:\n',
    `- test the grit with a finger [2](${SITE}/files/alpine-survey-2025.pdf)\n- water in the morning\n`,
    `\nPlace | Summer | Winter [1](${SITE}/guides/alpine-troughs.html)\n--- | --- | ---\nTrough | once a week | never\n`,
    `\n\`\`\`\nday 1: water <b>well</b>\n\`\`\`\n`,
  ],
  'and in winter?': [`Not at all while it freezes. [1](${SITE}/guides/alpine-troughs.html)`],
  'what does a run cost?': ['<img src=x onerror=alert(1)> is text, and [a script](javascript:alert(1)) is no link.'],
};

const SUMMARY = [`The alpine house shows 340 species without any heating. [1](${SITE}/news/alpine-house-reopens.html)`];

const REFUSAL = ['The pages of this site do not say anything about that.'];

type Asked = { readonly address: string; readonly body: Record<string, unknown> };

/** Answers like the service for questions and summaries; `hold` keeps the last piece back until it is released. */
export async function streamAnswer(
  { address, body }: Asked,
  response: ServerResponse,
  hold: Promise<void> | undefined,
) {
  const isSummary = address.endsWith('/summarize/stream');
  const pieces = isSummary ? SUMMARY : (ANSWERS[String(body['question'])] ?? REFUSAL);
  const ids = isSummary
    ? { 'service-summary-id': 'summary-1', 'service-summary-request-id': 'request-1' }
    : {
        'service-conversation-id': String(body['conversationId'] ?? 'conversation-1'),
        'service-exchange-id': 'exchange-1',
      };
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', ...ids });
  for (const [place, piece] of pieces.entries()) {
    if (place === pieces.length - 1 && hold !== undefined) await hold;
    response.write(piece);
  }
  response.end();
}

/** A whole text as the service gives it when its model fails. Contract: 4.2, 5.2. */
export function quotePages({ address, body }: Asked, response: ServerResponse) {
  const value = address.endsWith('/summarize') ? QUOTED_SUMMARY : quotedAnswer(body);
  response.writeHead(200, { 'content-type': 'application/json', 'service-answer-fallback': 'extractive' });
  response.end(JSON.stringify({ value }));
}

const TROUGHS = `${SITE}/guides/alpine troughs (2).html`;

const QUOTED_SUMMARY = {
  summary: 'The alpine house shows 340 species.\n\nTroughs drain through four holes.',
  summaryId: 'summary-1',
  summaryRequestId: 'request-1',
  summarySourceUrls: [`${SITE}/news/alpine-house-reopens.html`, TROUGHS],
};

function quotedAnswer(body: Asked['body']) {
  const citation = { reference: 1, url: TROUGHS, pageTitle: 'Growing alpine plants in troughs', snippet: '' };
  const ids = { conversationId: String(body['conversationId'] ?? 'conversation-1'), exchangeId: 'exchange-1' };
  const text = { answer: 'Water a trough once a week. [1]\nNothing else. [7]', url: TROUGHS, couldAnswer: true };
  return { ...text, ...ids, chatSessionId: '', citations: [citation] };
}

/** True for questions, summaries, and what is told about them. */
export function isAboutAnswers({ url }: IncomingMessage): boolean {
  return /\/search\/(answer|summarize)(\/|$)/.test(url ?? '');
}
