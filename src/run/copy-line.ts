import { message } from '#commands/text/message.ts';

import { say } from './settle.ts';
import { translate } from '#src/i18n/i18n.ts';
import { toasts } from '#src/state/toasts.ts';

/** Copies a command as a line, and says that it did or why it could not. */
export function copyLine(line: string): void {
  navigator.clipboard.writeText(line).then(
    () => toasts.push({ title: translate(message('console:palette.copied')), detail: line }),
    (error: unknown) => say(error),
  );
}
