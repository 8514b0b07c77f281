import { useCallback, useEffect, useEffectEvent, useState } from 'react';

import { commandLabels } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import { titleFor } from '#commands/run/title.ts';
import { message } from '#commands/text/message.ts';
import { translate, useTranslate } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { startDraft } from '#src/run/draft.ts';
import { formAtom, type FormStart } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { enteredArgs, type FormDraft } from './draft.ts';
import { OpenedForm } from './OpenedForm.tsx';
import { useInitial } from './use-initial.ts';

interface CommandFormProps {
  readonly invocation: FormStart;
  readonly onClose: () => void;
}

/** The drafts of open forms, restored when another screen renders the form again. */
const drafts = new WeakMap<FormStart, FormDraft>();

/** True if the values differ from those that the form opened with. */
function isEdited(draft: FormDraft, start: Args): boolean {
  const args = enteredArgs(draft);
  return Object.keys(args).some((name) => JSON.stringify(args[name]) !== JSON.stringify(start[name]));
}

/** How long a closed form can be reopened, in ms. It is long enough to notice a stray Escape. */
const REOPEN_DURATION = 12_000;

/** Offers to return to a form with entered values, after the user closed it or another form replaced it. */
function offerDraft(invocation: FormStart, title: string, duration: number): void {
  toasts.push({
    title: translate(message('console:panel.unsaved')),
    detail: title,
    action: { label: translate(message('console:panel.goOn')), run: () => store.set(formAtom, invocation) },
    duration,
  });
}

/**
 * Shows any command as a form in the side panel, generated from its declaration. Escape closes it, and a toast offers
 * to restore the entered values.
 */
export function CommandForm({ invocation, onClose }: CommandFormProps) {
  const translate = useTranslate();
  const command = registry().command(invocation.id);
  const [context] = useState(() => contextNow());
  // A form opened by a link has no target yet, so default to the screen's target, and name it in the title.
  const [args] = useState(() => (command ? startDraft(command, invocation.args, context).args : invocation.args));
  const [storedDraft] = useState(() => drafts.get(invocation));
  const initial = useInitial(storedDraft ? undefined : command, args, context, 0, invocation.typed);
  const start = storedDraft ? ({ status: 'ready', draft: storedDraft, round: 0 } as const) : initial;
  const title = command ? translate(titleFor(command, args, context)) : '';
  const storeDraft = useCallback((draft: FormDraft) => void drafts.set(invocation, draft), [invocation]);

  const forgetDraft = useCallback(() => void drafts.delete(invocation), [invocation]);

  const offerIfUnsaved = useEffectEvent(() => {
    const next = store.get(formAtom);
    const draft = drafts.get(invocation);
    if (next === invocation || !draft || !isEdited(draft, args)) return;
    // Input from another organization is restored when the user returns to that organization.
    if (store.get(userSessionAtom)?.organization.id !== context.organization.id) return;
    offerDraft(invocation, title, next ? Infinity : REOPEN_DURATION);
  });
  useEffect(() => {
    const previousFocus = document.activeElement;
    return () => {
      offerIfUnsaved();
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
    };
  }, []);

  if (!command) return null;
  return (
    <OpenedForm
      command={command}
      context={context}
      start={start}
      title={title}
      skeleton="mx-4 h-40"
      className="flex h-full min-h-0 flex-col"
      onDraft={storeDraft}
      onSaved={forgetDraft}
      onClose={onClose}
    >
      <h2 className="px-4 pt-4 pb-1 text-title font-semibold">{title}</h2>
      <p className="px-4 pb-2 text-ink-3">{translate(commandLabels.about(command))}</p>
    </OpenedForm>
  );
}
