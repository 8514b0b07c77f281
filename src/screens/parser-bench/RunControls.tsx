import { useState } from 'react';

import { MAX_MESSAGES } from '#commands/nouns/data/parser/bench/comparison.ts';
import { useText } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import { Select } from '#src/ui/fields/Select.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { Progress } from '#src/ui/Progress.tsx';

const LIMITS = ['20', '100', '500', '1000', `${MAX_MESSAGES}`] as const;
export type Limit = (typeof LIMITS)[number];

interface RunControlsProps {
  readonly filter: string;
  readonly limit: Limit;
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly canRun: boolean;
  readonly onFilter: (filter: string) => void;
  readonly onLimit: (limit: Limit) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

/** Chooses which stored messages to compare, and starts and stops a run. */
export function RunControls({ filter, limit, progress, canRun, onFilter, onLimit, onRun, onCancel }: RunControlsProps) {
  const t = useText('parser');
  const [draft, setDraft] = useState(filter);
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft !== filter) onFilter(draft);
        else if (canRun) onRun();
      }}
    >
      {progress && (
        <span className="flex items-center gap-2 text-label text-ink-3 tabular-nums">
          {t('bench.progress', { done: progress.done, total: progress.total })}
          <span className="w-16">
            <Progress value={progress.done} max={progress.total} label={t('bench.comparing')} />
          </span>
        </span>
      )}
      <span className="w-48">
        <TextInput
          mono
          aria-label={t('bench.filter')}
          placeholder={t('bench.filterHint')}
          value={draft}
          onText={setDraft}
          onBlur={() => draft !== filter && onFilter(draft)}
          className="h-6"
        />
      </span>
      <Select
        aria-label={t('bench.limit')}
        value={limit}
        options={LIMITS.map((value) => ({ value, label: t('bench.limitOption', { count: Number(value) }) }))}
        onValue={onLimit}
        className="[&_select]:h-6 [&_select]:py-0"
      />
      {/* Two buttons, because a run can start by itself just before a press on Run. */}
      <Button className="h-6" disabled={!canRun} onClick={onRun}>
        {t('bench.run')}
      </Button>
      {/* Always there, so a press on it is never a press on something else, and the focus stays. */}
      <Button className="h-6" {...(progress ? {} : { disabledReason: t('bench.notComparing') })} onClick={onCancel}>
        {t('bench.cancel')}
      </Button>
    </form>
  );
}
