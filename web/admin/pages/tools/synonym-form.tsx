import { useState } from 'preact/hooks';
import type { SynonymBody } from '../../client/tool-types.ts';
import { useChange } from '../../client/use-change.ts';
import { useEngineOfPage } from '../../frame/engines.ts';
import { LinesField, TextField } from '../../parts/fields.tsx';
import { ToolDialog, type ToolFormProps, trimmed } from './tool-dialog.tsx';

type Props = ToolFormProps & {
  /** Language '': that of the engine. */
  readonly group: SynonymBody;
  readonly onSave: (group: SynonymBody) => Promise<unknown>;
};

export function SynonymForm({ group, onSave, ...dialog }: Props) {
  const engine = useEngineOfPage();
  const [language, setLanguage] = useState(group.language === '' ? (engine?.language ?? 'en') : group.language);
  const [words, setWords] = useState(group.words);
  const change = useChange();
  return (
    <ToolDialog
      {...dialog}
      change={change}
      shownPaths={['language', 'words']}
      onSubmit={() => onSave({ language: language.trim(), words: trimmed(words) })}
    >
      <LinesField
        label="Words"
        hint="One a line: who searches one of them finds pages with any of them."
        values={words}
        problem={change.problemOf('words')}
        onChange={setWords}
      />
      <TextField
        label="Language"
        hint="A code such as en, de or pt-BR. Synonyms hold for all engines of the customer."
        value={language}
        isRequired
        problem={change.problemOf('language')}
        onInput={setLanguage}
      />
    </ToolDialog>
  );
}
