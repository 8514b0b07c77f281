import type { Progress } from '#commands/core/context';

import { useText } from '../i18n.ts';

/** That a plan is being made, and how far it is. The count is for the eye: a screen reader would read each of a hundred. */
export function Planning({ progress }: { readonly progress: Progress | undefined }) {
  const text = useText();
  return (
    <p className="text-ink-3">
      {text('palette.planning')}{' '}
      {progress && (
        <span aria-hidden className="tabular-nums">
          {text('shell.progress', { done: progress.done.toLocaleString(), total: progress.total.toLocaleString() })}
        </span>
      )}
    </p>
  );
}
