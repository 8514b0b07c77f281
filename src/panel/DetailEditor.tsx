import { useEffect, useRef, useState } from 'react';

import { registry } from '#commands/nouns/all.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { printLine } from '#commands/line/line.ts';
import { message } from '#commands/text/message.ts';

import { contextNow } from '#src/run/context.ts';
import { translate, withTexts } from '#src/i18n/i18n.ts';
import { actingAtom } from '#src/state/acting.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { OpenedForm } from '#src/form/OpenedForm.tsx';
import { useInitial } from '#src/form/use-initial.ts';

interface DetailEditorProps {
  readonly command: Command;
  /** The item that it edits, whatever is selected. */
  readonly id: string;
  /** The params that are about the detail. */
  readonly names: readonly string[];
  readonly title: string;
  readonly onClose: () => void;
}

/**
 * The fields of a detail, in its place. Escape leaves it as it was. When the panel goes to another item meanwhile,
 * nothing that was typed is lost: a toast opens it again as a form.
 */
export function DetailEditor({ command, id, names, title, onClose }: DetailEditorProps) {
  const changed = useRef<Args>(undefined);
  const [context] = useState(() => contextNow());
  useEffect(() => () => keep(command.id, changed.current, context.organization.id), [command, context]);
  const target = targetParam(command);
  const [args] = useState(() => (target ? { [target.name]: { ids: [id] } } : {}));
  const start = useInitial(command, args, context);
  return (
    <OpenedForm
      command={command}
      context={context}
      start={start}
      title={title}
      only={names}
      skeleton="h-14"
      className="rounded-field border border-line bg-surface-0 p-3"
      onChanged={(changes) => {
        changed.current = changes;
      }}
      onClose={() => {
        changed.current = undefined;
        onClose();
      }}
    />
  );
}

function keep(id: string, args: Args | undefined, organization: string): void {
  // Whoever goes to another organization leaves this one's items.
  if (!args || store.get(actingAtom)?.organization.id !== organization) return;
  const goOn = (): void => store.set(formAtom, { id, args });
  withTexts(() =>
    toasts.push({
      title: translate(message('console:panel.unsaved')),
      detail: printLine({ id, args }, registry),
      action: { label: translate(message('console:panel.goOn')), run: goOn },
      duration: Infinity,
    }),
  );
}
