import type { Progress } from '#commands/model/context.ts';

import { useText } from '#src/i18n/i18n.ts';

interface PlanningProps {
  readonly progress: Progress | undefined;
  /** The plan is on the screen, from counts; each item is still being looked up. */
  readonly outlined?: boolean;
}

/**
 * That a plan is being made, and how far it is. The count is for the eye: a screen reader would read each of a
 * hundred.
 */
export function Planning({ progress, outlined = false }: PlanningProps) {
  const text = useText();
  return (
    <p className="text-ink-3">
      {text(outlined ? 'palette.lookingUp' : 'palette.planning')}{' '}
      {progress && (
        <span aria-hidden className="tabular-nums">
          {text('shell.progress', { done: progress.done, total: progress.total })}
        </span>
      )}
    </p>
  );
}
