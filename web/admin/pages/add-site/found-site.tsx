import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { SafeLink } from '../../../parts/safe-link.tsx';
import { useAdmin } from '../../client/client-context.ts';
import { useChange } from '../../client/use-change.ts';
import { useEngines } from '../../frame/engines.ts';
import type { AddedSite, SiteProbe } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { TextField } from '../../parts/fields.tsx';
import { formatCount, formatCounted } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { StatusPill } from '../../parts/status-pill.tsx';
import { siteAddress } from '../findings/remedies.ts';
import type { CrawlSettings } from './use-probe.ts';
import './add-site.css';

type Props = {
  readonly site: SiteProbe;
  /** What it was looked at with. */
  readonly settings: CrawlSettings;
  readonly customerId: number | undefined;
  /** Looks again, with settings that let it. */
  readonly onAllow: (settings: CrawlSettings) => void;
};

/** What a look has found, and the button that crawls it. */
export function FoundSite({ site, settings, customerId, onAllow }: Props) {
  return (
    <>
      {site.known.map(({ crawler, engine, name }) => (
        <div class="notice warn" key={crawler}>
          <p>
            <a href={siteAddress(engine, crawler)}>
              <bdi>{name}</bdi>
            </a>{' '}
            crawls this host already. Adding it again makes a search of its own.
          </p>
        </div>
      ))}
      {site.problem !== null && <Problem problem={site.problem} settings={settings} onAllow={onAllow} />}
      {site.address !== null && <Found site={site} settings={settings} customerId={customerId} />}
    </>
  );
}

type ProblemProps = Pick<Props, 'settings' | 'onAllow'> & { readonly problem: NonNullable<SiteProbe['problem']> };

function Problem({ problem, settings, onAllow }: ProblemProps) {
  const { cause, advice, setting } = problem;
  return (
    <div class="notice bad" role="alert">
      <strong>{cause}</strong>
      {advice !== null && <p>{advice}</p>}
      {setting !== null && (
        <div class="row">
          <button type="button" onClick={() => onAllow({ ...settings, ...setting })}>
            Allow it and look again
          </button>
          <code class="any">{JSON.stringify(setting)}</code>
        </div>
      )}
    </div>
  );
}

function Found({ site, settings, customerId }: Omit<Props, 'onAllow'>) {
  const client = useAdmin();
  const change = useChange();
  const engines = useEngines();
  const { route } = useLocation();
  const [name, setName] = useState(site.siteName ?? URL.parse(site.address ?? '')?.hostname ?? '');
  const [language, setLanguage] = useState(site.language ?? '');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const add = () =>
    change.run(async () => {
      const exclude = [...left].map((path) => `${path}**`);
      const body = {
        url: site.address ?? site.url,
        probe: false,
        settings,
        ...(customerId !== undefined && { customer: customerId }),
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(language.trim() !== '' && { language: language.trim() }),
        ...(exclude.length > 0 && { scope: { exclude } }),
      };
      const { engine, crawler, run } = (await client.post<AddedSite>('/sites', { body })).body;
      engines.choose(engine.id);
      engines.reload();
      const state = {
        engine: String(engine.id),
        crawler: String(crawler.id),
        ...(run !== null && { run: String(run) }),
      };
      route(`/admin/sites/add?${new URLSearchParams(state)}`);
    });
  return (
    <Card title="What was found" actions={<Facts site={site} />}>
      <ErrorNotice error={change.error} shownPaths={['name', 'language']} />
      <form
        class="add-form"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          label="Name"
          hint="Of its search page and in these pages."
          value={name}
          problem={change.problemOf('name')}
          onInput={setName}
          isRequired
        />
        <TextField
          label="Language"
          hint="As a code: de, en, fa. Empty: told from each text."
          value={language}
          problem={change.problemOf('language')}
          onInput={setLanguage}
        />
        <button type="submit" class="main" disabled={change.isRunning || site.pages.length === 0}>
          <Icon name="play" /> Add and crawl it
        </button>
      </form>
      {site.sections.length > 1 && <Sections sections={site.sections} left={left} onChange={setLeft} />}
      <DataTable
        label="Pages that were read"
        columns={PAGE_COLUMNS}
        rows={site.pages}
        keyOf={({ url }) => url}
        empty={<EmptyState title="No page could be read" />}
      />
    </Card>
  );
}

function Facts({ site }: { readonly site: SiteProbe }) {
  const urls = site.sitemaps.reduce((sum, sitemap) => sum + sitemap.urls, 0);
  return (
    <>
      {site.sitemaps.length > 0 ? (
        <StatusPill tone="good">{formatCounted(urls, 'page')} in its sitemaps</StatusPill>
      ) : (
        <StatusPill tone="idle">No sitemap: links are followed</StatusPill>
      )}
      {site.needsScripts && <StatusPill tone="warn">Read in a browser</StatusPill>}
      {site.robots.crawlDelaySeconds !== null && (
        <StatusPill tone="idle">Asks for {site.robots.crawlDelaySeconds} s between pages</StatusPill>
      )}
    </>
  );
}

type SectionsProps = {
  readonly sections: SiteProbe['sections'];
  /** Those that are left out. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
};

function Sections({ sections, left, onChange }: SectionsProps) {
  return (
    <fieldset class="field">
      <legend>Sections to crawl</legend>
      <div class="sections-found">
        {sections.map(({ path, urls }) => (
          <label class="check" key={path}>
            <input
              type="checkbox"
              checked={!left.has(path)}
              onChange={(event) => {
                const next = new Set(left);
                if (event.currentTarget.checked) next.delete(path);
                else next.add(path);
                onChange(next);
              }}
            />
            <bdi class="cut">{path}</bdi> <span class="quiet">{formatCount(urls)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const PAGE_COLUMNS: readonly Column<SiteProbe['pages'][number]>[] = [
  {
    title: 'Page',
    show: ({ url, title }) => (
      <>
        <bdi>
          <SafeLink address={url}>{title === '' ? url : title}</SafeLink>
        </bdi>
        <br />
        <span class="small quiet any">{url}</span>
      </>
    ),
  },
  {
    title: 'Answer',
    show: ({ status, reason }) => (
      <StatusPill tone={status >= 200 && status < 300 ? 'good' : 'bad'}>
        {status === 0 ? (reason ?? 'none') : status}
      </StatusPill>
    ),
  },
  { title: 'Language', isSecondary: true, show: ({ language }) => language ?? '–' },
  { title: 'Characters', isNumber: true, show: ({ chars }) => formatCount(chars) },
];
