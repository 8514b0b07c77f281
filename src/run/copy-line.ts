import { message } from '#commands/text/message.ts';
import { translate } from '#src/i18n/i18n.ts';
import { toasts } from '#src/state/toasts.ts';

import { showError } from './show-error.ts';

/** Copies a command line and reports success or failure. */
export function copyLine(line: string): void {
  navigator.clipboard.writeText(line).then(
    () => toasts.push({ title: translate(message('running:palette.copied')), detail: line }),
    (error: unknown) => showError(error),
  );
}
