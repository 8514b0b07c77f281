import type { Message } from '#commands/text/message.ts';
import { translate } from '#src/i18n/i18n.ts';
import { workingKeysOf } from '#src/keymap/bindings.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { directory } from '#src/registry/registry.ts';
import type { ToastAction } from '#src/ui/overlays/toast-store.ts';

/** Creates the action of a toast that runs a command, with the command's key. */
export function commandAction(id: string, label: Message, run: () => void): ToastAction {
  const command = directory().command(id);
  const [keys] = command ? workingKeysOf(command) : [];
  return { label: translate(label), ...(keys === undefined ? {} : { keys: toKeyHint(keys) }), run };
}
