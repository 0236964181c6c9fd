import { type Command, idWord, numberOption } from '../command.ts';

/** The members of a search answer that are shown. */
type SearchAnswer = {
  readonly TotalDocument: number;
  readonly FixedQuery?: string | null;
  readonly TypedDocuments: readonly { readonly Id: string; readonly Fields: Fields }[];
};
type Fields = Readonly<Record<string, { readonly Value?: unknown } | undefined>>;

export const searchCommands: readonly Command[] = [
  {
    name: 'search',
    usage: '<engine> <query…> [--count <n>]',
    summary: 'Search an engine as its visitors do',
    words: [2, 100],
    options: { count: { type: 'string' } },
    routes: ['GET /engines/:engineId'],
    run: async ({ client, print }, input) => {
      const id = idWord(input, 0, 'engine');
      const api = await client();
      const { customer } = await api.admin('GET', `/engines/${id}`);
      const token = Buffer.from(`${customer}:${id}:SearchKey`).toString('base64');
      const body = { query: input.positionals.slice(1).join(' '), perPage: numberOption(input, 'count') ?? 10 };
      const authorization = `SiteKey ${token}`;
      const answer = (await api.open('POST', `/api/v4/${customer}/${id}/search`, {
        authorization,
        body,
      })) as SearchAnswer;
      const rows = answer.TypedDocuments.map(({ Id, Fields }) => ({ title: Fields['Title']?.Value ?? '', id: Id }));
      print.rows(rows, ['title', 'id'], 'nothing found');
      if (answer.FixedQuery) print.note(`Searched for: ${answer.FixedQuery}`);
      print.note(`${answer.TotalDocument} in all`);
    },
  },
];
