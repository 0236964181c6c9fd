import type { Beginning } from './run-prepare.ts';

/** The last lines of a start: where to look, what to try, which keys open it. */
export function banner(input: {
  readonly address: string;
  readonly beginning: Beginning;
  readonly dataDir: string;
}): string {
  const { address, beginning, dataDir } = input;
  const lines = ['', `Fossick runs at ${address}`, ''];
  if (beginning === undefined) lines.push(...emptyLines());
  else lines.push(...searchLines(address, beginning));
  lines.push(
    `  Operator token  ${dataDir}/operator-token   (read by npx fossick)`,
    '  What runs       npx fossick ps   (all commands: npx fossick --help)',
    '  Stop            Ctrl-C',
    '',
  );
  return `${lines.join('\n')}\n`;
}

function emptyLines(): readonly string[] {
  return [
    'There is no engine yet. Describe one in fossick.config.yaml (see fossick.config.example.yaml), or begin with:',
    '  npx fossick customer add "My company"',
    '',
  ];
}

function searchLines(address: string, beginning: NonNullable<Beginning>): readonly string[] {
  const { engine, isShownFirst, crawler, apiKey, seed } = beginning;
  const page = isShownFirst ? `${address}/` : `${address}/?engine=${engine.id}`;
  const path = `${address}/api/v4/${engine.customerId}/${engine.id}/search`;
  const siteKey = Buffer.from(`${engine.customerId}:${engine.id}:SearchKey`).toString('base64');
  const authorization = `-H 'Authorization: SiteKey ${siteKey}'`;
  return [
    `  Search page     ${page}`,
    ...(seed === undefined ? [] : [`  Crawling        ${seed}   (how far: npx fossick run list ${crawler?.id ?? ''})`]),
    '',
    'Search through the API:',
    `  curl -s ${path} ${authorization} -H 'Content-Type: application/json' -d '{"query":"*"}'`,
    '',
    `  SiteKey         ${siteKey}   (public, for browsers)`,
    ...(apiKey === undefined
      ? []
      : [`  API key         ${apiKey}   (secret, for servers: Basic and the base64 of ${engine.customerId}:<key>)`]),
  ];
}
