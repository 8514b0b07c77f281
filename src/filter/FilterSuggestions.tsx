import type { Completion } from '#commands/query/complete.ts';
import { formatCount, useText, useTranslate } from '#src/i18n/i18n.ts';
import { ComboboxList } from '#src/ui/fields/ComboboxList.tsx';

import type { Fix } from './fixes.ts';

export interface FilterSuggestionsProps {
  /** Id of the filter line. */
  readonly id: string;
  /** The problem, as a sentence. */
  readonly problem: string | undefined;
  readonly fixes: readonly Fix[];
  readonly suggestions: readonly Completion[];
  /** Index into the fixes followed by the suggestions. */
  readonly active: number | undefined;
  readonly onChoose: (index: number) => void;
}

/** The list below the filter line: the problem, suggested fixes, and completions. */
export function FilterSuggestions({ id, problem, fixes, suggestions, active, onChoose }: FilterSuggestionsProps) {
  const translate = useTranslate();
  const t = useText();
  const options = [
    ...fixes.map(({ label }) => ({ label, detail: t('filter.fix') })),
    ...suggestions.map(({ label, detail, about, count }) => ({
      label,
      ...detailOf(about ? translate(about) : detail, count),
    })),
  ].map((item, index) => ({ id: String(index), ...item }));
  if (problem === undefined && options.length === 0) return null;
  return (
    // Browsers put scrollable boxes in the tab order, but this list disappears when the field loses focus.
    <div
      tabIndex={-1}
      className="absolute top-full left-8 z-30 mt-1 max-h-80 w-96 max-w-[calc(100%-48px)] overflow-y-auto rounded-overlay bg-surface-1 p-1 shadow-overlay"
    >
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className="px-2 py-1 text-error-text">
          {problem}
        </p>
      )}
      {options.length > 0 && (
        <div onMouseDown={(event) => event.preventDefault()}>
          <ComboboxList
            id={`${id}-list`}
            options={options}
            activeId={active === undefined ? undefined : String(active)}
            selectedIds={[]}
            multiple={false}
            onChoose={(option) => onChoose(Number(option.id))}
            message=""
          />
        </div>
      )}
    </div>
  );
}

function detailOf(detail: string | undefined, count: number | undefined): { readonly detail?: string } {
  const parts = [detail, count === undefined ? undefined : formatCount(count)].filter((value) => value !== undefined);
  return parts.length > 0 ? { detail: parts.join(' · ') } : {};
}
