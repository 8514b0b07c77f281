import { isAbort } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { commandFailure } from '#src/data/failure.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';
import { toasts } from '#src/state/toasts.ts';

import { refreshAfterDenial } from './denials.ts';

/** Shows an error as a toast, which is neutral for a canceled run. With `retry`, the toast offers to try again. */
export function showError(error: unknown, retry?: () => void): void {
  report(error);
  refreshAfterDenial(error);
  withStrings(() =>
    toasts.push({
      title: translate(commandFailure(error)),
      tone: isAbort(error) ? 'neutral' : 'error',
      ...(retry ? { action: { label: translate(message('console:screen.retry')), run: retry } } : {}),
    }),
  );
}
