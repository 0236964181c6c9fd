import { type Command, idWord, textOption, wrongUsage } from '../command.ts';

const OPTIONS = `Options of the tag (docs/widget.md tells more):
  data-mode         modal, inline (a box in data-target) or results (and what
                    it finds in data-results)
  data-trigger      what opens the modal in place of a button, as a selector
  data-language     of the interface, such as de; default: that of the engine
  data-theme        light, dark or auto; default: as the page around
  data-accent       a colour
  data-placeholder  what an empty box says
  data-answers      off
`;

export const widgetCommands: readonly Command[] = [
  {
    name: 'widget',
    usage: '<engine> [--address <address>]',
    summary: 'Print the tag that embeds the search of an engine in a page',
    example: '6 --address https://search.example.com',
    words: [1, 1],
    options: { address: { type: 'string' } },
    routes: ['GET /engines/:engineId/widget'],
    run: async ({ client, print }, input) => {
      const given = addressOption(textOption(input, 'address'));
      const { publicUrl, admin } = await client();
      const found = await admin('GET', `/engines/${idWord(input, 0, 'engine')}/widget`);
      const known = given ?? (found['address'] as string | null);
      const address = (known ?? publicUrl).replace(/\/+$/, '');
      const { key, path, versionPath, integrity } = found;
      const tag = `<script async src="${address}${path}" data-key="${key}"></script>`;
      const pinnedTag = `<script async src="${address}${versionPath}" integrity="${integrity}" crossorigin data-key="${key}"></script>`;
      if (print.isJson) return print.record({ ...found, address, tag, pinnedTag });
      print.note(`In a page, anywhere:\n\n${tag}\n`);
      print.note(
        `Or this version only, which the browser compares; print it again after an upgrade:\n\n${pinnedTag}\n`,
      );
      print.note(OPTIONS);
      if (known === null)
        print.warn(
          `${address} is where this command found the api: name the address of visitors with --address, or set PUBLIC_URL`,
        );
    },
  },
];

/** @throws AppError `request.invalid` */
function addressOption(text: string | undefined): string | undefined {
  const url = text === undefined ? undefined : URL.parse(text);
  if (url === undefined || /^https?:$/.test(url?.protocol ?? '')) return url?.href;
  throw wrongUsage(`--address must be an address such as https://search.example.com, not ${text}`);
}
