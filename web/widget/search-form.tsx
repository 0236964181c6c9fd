import type { Ref } from 'preact';
import { useLanguage } from '../parts/language.ts';
import { MOST_QUERY_CHARS } from '../search/search-request.ts';
import type { WidgetSearch } from './use-widget-search.ts';

type Props = {
  readonly model: WidgetSearch;
  readonly placeholder: string | undefined;
  readonly box: Ref<HTMLInputElement>;
  /** Absent where there is nothing to close. */
  readonly onClose?: () => void;
};

/** No `type=search`: browsers would empty it on Escape, which closes. */
export function SearchForm({ model, placeholder, box, onClose }: Props) {
  const { text } = useLanguage();
  return (
    <search class="form">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (model.text.trim() !== '') model.commit();
        }}
      >
        <Glass />
        <input
          ref={box}
          type="text"
          value={model.text}
          maxLength={MOST_QUERY_CHARS}
          aria-label={text('box.label')}
          placeholder={placeholder ?? text('box.label')}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          onInput={(event) => model.type(event.currentTarget.value)}
        />
        {model.wait !== 'none' && <span class="busy" />}
        {onClose && (
          <button type="button" class="close" onClick={onClose}>
            {text('widget.close')}
          </button>
        )}
      </form>
    </search>
  );
}

export function Glass() {
  return (
    <svg class="glass" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.5" />
      <path d="m13 13 4.5 4.5" />
    </svg>
  );
}
