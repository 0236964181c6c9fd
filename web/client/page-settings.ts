export type PageSettings = {
  readonly siteKey: string;
  readonly customerId: string;
  readonly engineId: string;
  readonly engineName: string;
  /** The engine's language, BCP 47; empty when it has none. */
  readonly language: string;
};

/** What the server wrote into the page's head. The site key is public: it may search, nothing else. */
export function readPageSettings(head: ParentNode): PageSettings {
  const read = (name: string) => head.querySelector<HTMLMetaElement>(`meta[name="fossick-${name}"]`)?.content ?? '';
  return {
    siteKey: read('site-key'),
    customerId: read('customer'),
    engineId: read('engine'),
    engineName: read('engine-name'),
    language: read('language'),
  };
}
