import { type GeneratedSiteOptions, startGeneratedSite } from '../generated-site.ts';

/** A generated site in a process of its own, so that its work is nobody else's: its first argument is the order, as JSON. */
const { pages, ...options } = JSON.parse(process.argv[2] ?? '{}') as GeneratedSiteOptions & { readonly pages: number };
const site = await startGeneratedSite(pages, options);
process.on('message', () => process.send?.({ requests: site.requests() }));
process.once('disconnect', () => process.exit(0));
process.send?.({ origins: site.origins, start: site.start });
