import type { Progress } from '#commands/model/context.ts';
import { useText } from '#src/i18n/i18n.ts';

interface PlanningProps {
  readonly progress: Progress | undefined;
  /** True if a plan based on counts is already visible while the items are looked up. */
  readonly hasOutline?: boolean;
}

/** Shows the progress of planning. Hides the count from screen readers, which would announce every update. */
export function Planning({ progress, hasOutline = false }: PlanningProps) {
  const t = useText();
  const planText = useText('running');
  return (
    <p className="text-ink-3">
      {planText(hasOutline ? 'palette.lookingUp' : 'palette.planning')}{' '}
      {progress && (
        <span aria-hidden className="tabular-nums">
          {t('shell.progress', { done: progress.done, total: progress.total })}
        </span>
      )}
    </p>
  );
}
