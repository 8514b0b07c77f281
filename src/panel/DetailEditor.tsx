import { useAtom } from 'jotai';
import { useCallback, useEffect, useRef, useState } from 'react';

import { printLine } from '#commands/line/line.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { VisibleItem } from '#commands/run/focus.ts';
import { message } from '#commands/text/message.ts';
import type { FormDraft } from '#src/form/draft.ts';
import { OpenedForm } from '#src/form/OpenedForm.tsx';
import { useInitial } from '#src/form/use-initial.ts';
import { translate, useTranslate, withStrings } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { formAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

interface DetailEditorProps {
  readonly command: Command;
  /** The item to edit: the item that shows the detail, regardless of the selection. */
  readonly item: VisibleItem;
  /** The params of the detail. */
  readonly paramNames: readonly string[];
  readonly title: string;
  /** True to name the item above the fields. Otherwise, they name it only while other items are selected. */
  readonly namesItem?: boolean;
  /** Receives the names of the fields with unsaved input, even if it is invalid. */
  readonly onInput?: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

/**
 * Edits the fields of a detail in place. Escape discards the changes. If the panel moves to another item, a toast
 * offers to continue in a form, so no input is lost.
 */
export function DetailEditor({
  command,
  item,
  paramNames,
  title,
  namesItem = false,
  onInput,
  onClose,
}: DetailEditorProps) {
  const translate = useTranslate();
  const [visibleTargets, setVisibleTargets] = useAtom(visibleTargetsAtom);
  const changedArgs = useRef<Args>(undefined);
  const [context] = useState(() => contextNow());
  useEffect(() => () => offerUnsaved(command.id, changedArgs.current, context.organization.id), [command, context]);
  const target = targetParam(command);
  const [args] = useState(() => (target ? { [target.name]: { ids: [item.id] } } : {}));
  const start = useInitial(command, args, context);
  const publish = (editedItem: VisibleItem | undefined): void =>
    setVisibleTargets((targets) => ({ ...targets, edited: editedItem }));
  const onDraft = useCallback(
    ({ entered }: FormDraft) => onInput?.(paramNames.filter((name) => entered.includes(name))),
    [onInput, paramNames],
  );
  useEffect(() => () => setVisibleTargets((targets) => ({ ...targets, edited: undefined })), [setVisibleTargets]);
  return (
    <div onFocus={() => publish(item)} onBlur={() => publish(undefined)}>
      <OpenedForm
        command={command}
        context={context}
        start={start}
        title={title}
        onlyFields={paramNames}
        skeleton="h-14"
        className="rounded-field border border-line bg-surface-0 p-3"
        onDraft={onDraft}
        onChanged={(changes) => {
          changedArgs.current = changes;
        }}
        onClose={() => {
          changedArgs.current = undefined;
          onClose();
        }}
      >
        {(namesItem || visibleTargets.table?.selection) && item.name && (
          <p className="pb-2 text-ink-2">→ {translate(item.name)}</p>
        )}
      </OpenedForm>
    </div>
  );
}

function offerUnsaved(id: string, args: Args | undefined, organization: string): void {
  // Switching organizations discards the input because the item belongs to the previous organization.
  if (!args || store.get(userSessionAtom)?.organization.id !== organization) return;
  const openForm = (): void => store.set(formAtom, { id, args });
  withStrings(() =>
    toasts.push({
      title: translate(message('console:panel.unsaved')),
      detail: printLine({ id, args }, registry()),
      action: { label: translate(message('console:panel.goOn')), run: openForm },
      duration: Infinity,
    }),
  );
}
