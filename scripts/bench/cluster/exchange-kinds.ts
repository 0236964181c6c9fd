/** Costs a page, or is done every so often whether pages come or not. */
export type ExchangeKind = { readonly name: string; readonly by: 'page' | 'time' };

/** The first whose text one of the statements of a transaction has. */
const KINDS: readonly (ExchangeKind & { readonly text: RegExp })[] = [
  { name: 'visits are recorded', by: 'page', text: /^insert into "visits"/ },
  { name: 'rows are leased', by: 'page', text: /^update "frontier" set "lane_id" = \$/ },
  { name: 'texts are chosen again', by: 'page', text: /"pending_pages"/ },
  { name: 'pages with the same content are looked up', by: 'page', text: /"content_hash" = \$/ },
  { name: 'blocks of a host are read', by: 'page', text: /from "(templates|folder_pages)"/ },
  { name: 'work is looked for', by: 'time', text: /SELECT min\(due\)/ },
  { name: 'changes of stores are looked for', by: 'time', text: /^SELECT name, changes FROM fossick\.stores/ },
  { name: 'the lane is beaten', by: 'time', text: /^update "lanes" set "beats"/ },
  { name: 'runs are looked at', by: 'time', text: /from "runs" where "crawler_id" = \$1::int8 and state IN/ },
  { name: 'the process shows that it lives', by: 'time', text: /fossick\.processes/ },
  { name: 'the clock is asked', by: 'time', text: /clock_timestamp\(\)/ },
  {
    name: 'records of the installation are read',
    by: 'time',
    text: /from "(engines|customers|crawlers|api_keys|host_holds)"/,
  },
];
const OTHERS: ExchangeKind = { name: 'hosts are prepared, the rest', by: 'page' };

/** What a transaction of a crawl process is for. */
export function kindOf(statements: readonly string[]): ExchangeKind {
  return KINDS.find(({ text }) => statements.some((statement) => text.test(statement))) ?? OTHERS;
}
