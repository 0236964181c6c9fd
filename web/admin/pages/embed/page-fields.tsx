import { INTERFACE_LANGUAGES } from '../../../../src/core/interface-languages.ts';
import type { Engine } from '../../generated-types.ts';
import { CheckField, LinesField, SelectField, TextField } from '../../parts/fields.tsx';
import { languageName } from '../../parts/language-name.ts';
import type { PageDraft } from './page-draft.ts';

export type DraftProps = {
  readonly draft: PageDraft;
  readonly set: (changed: Partial<PageDraft>) => void;
  readonly problemOf: (path: string) => string | undefined;
};

/** Where the page is, and what it says. */
export function PageFields({ engine, draft, set, problemOf }: DraftProps & { readonly engine: Engine }) {
  return (
    <>
      <CheckField
        label="Published"
        hint="Everybody who knows the address can open the page."
        isChecked={draft.published}
        onChange={(published) => set({ published })}
      />
      <TextField
        label="Address"
        hint={`The page is at /s/ and this; empty: made of the name of the engine. Lower-case letters, digits and hyphens.`}
        value={draft.path}
        problem={problemOf('page.path')}
        onInput={(path) => set({ path })}
      />
      <LinesField
        label="Host names"
        hint="At which “/” is this page, such as search.example.com, one a line."
        values={draft.hosts}
        problem={problemOf('page.hosts')}
        onChange={(hosts) => set({ hosts })}
      />
      <SelectField
        label="Language of the interface"
        value={draft.language}
        options={[
          { value: '', label: `As the engine (${languageName(engine.language)})` },
          ...INTERFACE_LANGUAGES.map((code) => ({ value: code as string, label: languageName(code) })),
        ]}
        problem={problemOf('page.language')}
        onChange={(language) => set({ language })}
      />
      <CheckField
        label="The language of the visitor comes first"
        isChecked={draft.visitorLanguage}
        onChange={(visitorLanguage) => set({ visitorLanguage })}
      />
      <TextField
        label="Heading"
        hint={`Empty: ${engine.name}`}
        value={draft.title}
        problem={problemOf('page.title')}
        onInput={(title) => set({ title })}
      />
      <TextField
        label="Text of the empty box"
        value={draft.placeholder}
        problem={problemOf('page.placeholder')}
        onInput={(placeholder) => set({ placeholder })}
      />
      <TextField
        label="Under the box of the empty page"
        value={draft.hint}
        problem={problemOf('page.hint')}
        onInput={(hint) => set({ hint })}
      />
    </>
  );
}
