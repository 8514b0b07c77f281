import { useCallback, useEffect, useState } from 'react';

import { texts as commandTexts } from '#commands/model/command.ts';
import { titleFor } from '#commands/run/title.ts';
import { registry } from '#commands/nouns/all.ts';

import { contextNow } from '#src/run/context.ts';
import { useSay } from '#src/i18n/i18n.ts';
import { startDraft } from '#src/run/draft.ts';
import type { FormStart } from '#src/state/layers.ts';
import type { FormDraft } from './draft.ts';
import { OpenedForm } from './OpenedForm.tsx';
import { useInitial } from './use-initial.ts';

interface CommandFormProps {
  readonly invocation: FormStart;
  readonly onClose: () => void;
}

/** What was entered so far in a form that is open: another screen draws the form anew. */
const drafts = new WeakMap<FormStart, FormDraft>();

/** Any command as a form in the side panel, from its declaration. Escape closes it and gives focus back. */
export function CommandForm({ invocation, onClose }: CommandFormProps) {
  const say = useSay();
  const command = registry.command(invocation.id);
  const [context] = useState(() => contextNow());
  // Opened by a link it has no target yet: it is the one of the screen, and named.
  const [args] = useState(() => (command ? startDraft(command, invocation.args, context).args : invocation.args));
  const [kept] = useState(() => drafts.get(invocation));
  const initial = useInitial(kept ? undefined : command, args, context, 0, invocation.typed);
  const start = kept ? ({ status: 'ready', draft: kept, round: 0 } as const) : initial;
  const keep = useCallback((draft: FormDraft) => void drafts.set(invocation, draft), [invocation]);

  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  if (!command) return null;
  const title = say(titleFor(command, args, context));
  return (
    <OpenedForm
      command={command}
      context={context}
      start={start}
      title={title}
      skeleton="mx-4 h-40"
      className="flex h-full min-h-0 flex-col"
      onDraft={keep}
      onClose={onClose}
    >
      <h2 className="px-4 pt-4 pb-1 text-title font-semibold">{title}</h2>
      <p className="px-4 pb-2 text-ink-3">{say(commandTexts.about(command))}</p>
    </OpenedForm>
  );
}
