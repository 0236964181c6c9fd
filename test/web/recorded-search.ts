import type { Facet, Filters, Hit, SearchQuery, SearchResponse } from '../../packages/client/src/index.ts';

const NOTES = [
  ['Alpine house reopens after the winter', 'News', 'news/alpine-house-reopens.html', '2026-03-14'],
  ['Growing alpine plants in troughs', 'Guides', 'guides/alpine-troughs.html', ''],
  ['Alpine plants of the northern slopes: survey report', 'Research', 'files/alpine-survey-2025.pdf', '2025-11-02'],
  ['Edelweiss', 'Plants', 'plants/edelweiss.html', ''],
  ['Alpenpflanzen im Trog', 'Guides', 'de/ratgeber/alpenpflanzen-im-trog.html', '2026-02-20'],
  ['Gritty compost for alpine plants, 10 l', 'Shop', 'shop/alpine-compost.html', ''],
  ['Weekend course: building an alpine trough', 'Courses', 'courses/alpine-trough.html', '2026-01-08'],
] as const;

/** Every search has an id of its own. */
let serial = 1;

/** What editors set for some queries. Contract: 2.9, 2.10. */
const TOOLS: Readonly<Record<string, Partial<SearchResponse>>> = {
  'opening hours': {
    Banners: [
      {
        Id: 4,
        Name: 'Winter closing',
        WebsiteId: 6,
        Banner:
          '<p style="padding: 8px; background-color: #fff3d6">The glasshouses are <strong>closed</strong> on 24 and ' +
          '25 December. <a href="https://garden.example/winter">Winter in the garden</a></p>',
      },
      {
        Id: 9,
        Name: 'Late opening',
        WebsiteId: 6,
        Banner: '<h3>Late opening</h3><p>Fridays until 21:30 in <em>August</em>.</p>',
      },
    ],
    Quicklinks: [
      { Id: 2, Url: 'https://garden.example/visit/opening-hours', Term: 'opening hours' },
      { Id: 3, Url: 'https://garden.example/visit/getting-here', Term: 'open*' },
      { Id: 5, Url: 'javascript:alert(1)', Term: 'opening hours?' },
    ],
    Synonyms: ['visiting times', 'opening times', 'hours', 'admission', 'entry', 'gates', 'schedule'],
  },
  'how often should I water a trough?': { GenerativeAnswerAvailable: true },
  'what does a run cost?': { GenerativeAnswerAvailable: true },
  'alpine house': { GenerativeAnswerAvailable: true },
  alpnie: { FixedQuery: 'alpine' },
  zzz: { Suggestions: ['alpine', 'alpine house'] },
  trogh: { Suggestions: ['alpine trough', 'trough'] },
};

/** How many hits a query has when it has not all of them. */
const FOUND: Readonly<Record<string, number>> = { zzz: 0, 'zzz*': 0, trogh: 3 };

/** Answers like the service for an engine with 23 pages about alpine plants. Contract: 2.6, 2.8. */
export function answerSearch(request: SearchQuery): SearchResponse {
  const page = request.page ?? 1;
  const wanted = (request.facets as Filters | undefined)?.['Category'] ?? [];
  const all = Array.from({ length: FOUND[request.query] ?? 23 }, (_, index) => recordHit(index));
  const hits = all.filter((hit) => wanted.length === 0 || wanted.includes(hit.Fields['Category']!.Value));
  const facets = ['Category', 'Language', '_type'].map((field) => [field, facetOf(all, field)]);
  return {
    QueryId: `0192f6a0-0000-8000-8000-${String(serial++).padStart(12, '0')}`,
    ResponseTime: 4,
    FixedQuery: '',
    TotalDocument: hits.length,
    TypedDocuments: hits.slice((page - 1) * 10, page * 10).map((hit) => withSections(hit, request.sections ?? 0)),
    Facets: Object.fromEntries(facets),
    RangeFacets: request.rangeFacets === undefined ? {} : { Date: [2, 5, 9, 12] },
    TopHits: [],
    Banners: [],
    Quicklinks: [],
    Suggestions: ['alpine house'],
    Synonyms: [],
    RelatedSearchDocuments: hits.length > 0 && request.enableRelatedSearches ? ['rock garden', 'edelweiss'] : [],
    GenerativeAnswerAvailable: false,
    ...TOOLS[request.query],
  };
}

/** The guide has places that can be named. */
function withSections(hit: Hit, most: number): Hit {
  if (most === 0 || !hit.Fields['Url']!.Value.endsWith('guides/alpine-troughs.html')) return hit;
  const url = hit.Fields['Url']!.Value;
  return {
    ...hit,
    Sections: [
      { Title: 'Drainage', Url: `${url}#drainage`, Snippet: 'Crocks keep an <b>alpine</b> trough dry &amp; warm.' },
      { Title: 'Winter', Url: `${url}#winter`, Snippet: 'A pane of glass keeps <b>alpine</b> leaves dry.' },
    ].slice(0, most),
  };
}

/** Documents with a word of their title that begins as the text does. */
export function completedDocuments(text: string) {
  const found = NOTES.filter(([title]) =>
    title
      .toLowerCase()
      .split(/[^\p{L}\d]+/u)
      .some((word) => word.startsWith(text)),
  );
  return found.map(([Title, , path]) => ({
    id: path,
    fields: { Title, Url: `https://garden.example/${path}`, Description: `About ${Title} & more` },
  }));
}

/** Exact counts over all hits, most frequent value first. Contract: 2.4. */
function facetOf(hits: readonly Hit[], field: string): Facet {
  const counts = Map.groupBy(hits, (hit) => hit.Fields[field]?.Value ?? hit.Type);
  const items = [...counts].map(([Key, { length: Count }]) => ({ Key, Count, Facets: {} }));
  items.sort((a, b) => b.Count - a.Count || (a.Key < b.Key ? -1 : 1));
  return { FieldName: field, Field: field, MissingCount: 0, AllCount: hits.length, Items: items };
}

function recordHit(index: number): Hit {
  const [title, category, path, date] = NOTES[index % NOTES.length]!;
  const url = `https://garden.example/${path}${index < NOTES.length ? '' : `?note=${index}`}`;
  const text =
    'Keep the <b>alpine</b> bed dry in winter &amp; open to the wind: most losses happen under wet leaves, not in frost.';
  const more = 'Our <b>alpine</b> house shows 340 species that need no heating at all.';
  const isFile = path.endsWith('.pdf');
  const plain = {
    Id: url,
    Url: url,
    Title: title,
    Category: category,
    Date: date,
    Language: path.startsWith('de/') ? 'de' : 'en',
  };
  const fields = Object.entries({ ...plain, ...(isFile && { File_type: 'pdf' }) }).map(([Field, Value]) => [
    Field,
    { Field, Value, Values: Value === '' ? [] : [Value], Highlights: [] as string[], IsArray: false },
  ]);
  const content = {
    Field: 'Content',
    Value: 'Keep the alpine bed dry',
    Values: [],
    Highlights: [text, more],
    IsArray: false,
  };
  const marked = title.replace(/alpine/i, '<b>$&</b>');
  return {
    ResultIndex: index + 1,
    Id: url,
    Score: 20 - index / 2,
    Type: isFile ? 'FileContent' : 'PageContent',
    Fields: { ...Object.fromEntries(fields), Content: content },
    FieldNames: [],
    Highlight: { Title: marked, Content: `${text} ... ${more}` },
    TitleHasHighlight: marked !== title,
    Sortings: [],
  };
}
