import { useState } from 'preact/hooks';
import type { Widget } from '../../generated-types.ts';
import { Card } from '../../parts/card.tsx';
import { CopiedText } from '../../parts/copy-button.tsx';
import { CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { visitorAddress } from './visitor-address.ts';

const MODES = [
  { value: 'modal', label: 'A dialog above the page' },
  { value: 'inline', label: 'A box in the page, results under it' },
  { value: 'results', label: 'A box here, results there' },
] as const;
const THEMES = [
  { value: '', label: 'As the page around' },
  { value: 'auto', label: 'As the system of the visitor' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

type Options = {
  readonly mode: (typeof MODES)[number]['value'];
  readonly theme: (typeof THEMES)[number]['value'];
  readonly trigger: string;
  readonly target: string;
  readonly results: string;
  readonly language: string;
  readonly placeholder: string;
  readonly hasAnswers: boolean;
};

const DEFAULTS: Options = {
  mode: 'modal',
  theme: '',
  trigger: '',
  target: '#search',
  results: '#results',
  language: '',
  placeholder: '',
  hasAnswers: true,
};

/** One tag for any page of any site, as one wants it. */
export function TagPart({ widget }: { readonly widget: Widget }) {
  const [options, setOptions] = useState(DEFAULTS);
  const set = (changed: Partial<Options>) => setOptions({ ...options, ...changed });
  const address = visitorAddress(widget);
  return (
    <div class="embed-columns">
      <Card title="As you want it">
        <TagFields options={options} set={set} />
      </Card>
      <div class="stack">
        <Card title="The tag">
          <CopiedText text={tagOf(`${address}${widget.path}`, widget.key, options)} label="Copy the tag" />
          <p class="quiet">
            Put it into your pages, once each. The search opens with Ctrl-K, Cmd-K or “/”; the key may search and
            nothing else, so everybody may see it.
          </p>
          {widget.address === null && (
            <div class="notice warn">
              <p>
                The tag names the address at which you are now. Set <code>PUBLIC_URL</code> where visitors reach Fossick
                at another one.
              </p>
            </div>
          )}
        </Card>
        <Card title="A fixed version, compared by the browser">
          <CopiedText
            text={tagOf(`${address}${widget.versionPath}`, widget.key, options, widget.integrity)}
            label="Copy the tag"
          />
          <p class="quiet">
            The browser runs it only when it is unchanged. After an upgrade of Fossick the tag must be copied again.
          </p>
        </Card>
        <p class="quiet">
          All options, events and what a content security policy has to allow: <code>docs/widget.md</code>.
        </p>
      </div>
    </div>
  );
}

type FieldsProps = { readonly options: Options; readonly set: (changed: Partial<Options>) => void };

function TagFields({ options, set }: FieldsProps) {
  return (
    <>
      <SelectField label="Where" value={options.mode} options={MODES} onChange={(mode) => set({ mode })} />
      {options.mode === 'modal' ? (
        <TextField
          label="What opens it"
          hint="A selector such as .search-button; empty: a button of its own."
          value={options.trigger}
          onInput={(trigger) => set({ trigger })}
        />
      ) : (
        <TextField
          label="Where the box goes"
          hint="A selector."
          value={options.target}
          onInput={(target) => set({ target })}
        />
      )}
      {options.mode === 'results' && (
        <TextField
          label="Where results go"
          hint="A selector."
          value={options.results}
          onInput={(results) => set({ results })}
        />
      )}
      <SelectField label="Colours" value={options.theme} options={THEMES} onChange={(theme) => set({ theme })} />
      <TextField
        label="Language of the interface"
        hint="A code such as de or pt-BR; empty: that of the page of the engine."
        value={options.language}
        onInput={(language) => set({ language })}
      />
      <TextField
        label="Text of the empty box"
        value={options.placeholder}
        onInput={(placeholder) => set({ placeholder })}
      />
      <CheckField
        label="Answers to questions"
        isChecked={options.hasAnswers}
        onChange={(hasAnswers) => set({ hasAnswers })}
      />
    </>
  );
}

function tagOf(source: string, key: string, options: Options, integrity?: string): string {
  const { mode, trigger, target, results, language, theme, placeholder, hasAnswers } = options;
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ['src', source],
    ['integrity', integrity],
    ['data-key', key],
    ['data-mode', mode === 'modal' ? '' : mode],
    ['data-trigger', mode === 'modal' ? trigger : ''],
    ['data-target', mode === 'modal' ? '' : target],
    ['data-results', mode === 'results' ? results : ''],
    ['data-language', language],
    ['data-theme', theme],
    ['data-placeholder', placeholder],
    ['data-answers', hasAnswers ? '' : 'off'],
  ];
  const written = attributes
    .filter(([, value]) => value !== undefined && value.trim() !== '')
    .map(([name, value]) => `${name}="${attributeText(value ?? '')}"`);
  return `<script async ${integrity === undefined ? '' : 'crossorigin '}${written.join(' ')}></script>`;
}

function attributeText(text: string): string {
  return text.trim().replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
