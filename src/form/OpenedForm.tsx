import { useEffect, useRef, type ReactNode } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { registry } from '#commands/nouns/all.ts';

import { LoadError } from '#src/run/LoadError.tsx';
import { useText } from '#src/i18n/i18n.ts';
import { OPENING } from '#src/keymap/layer.ts';
import { arriveAtLayer, giveUpLayer } from '#src/state/arrival.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';
import type { FormDraft } from './draft.ts';
import { FormFields } from './FormFields.tsx';
import type { Start } from './use-initial.ts';

interface OpenedFormProps {
  readonly command: Command;
  readonly context: Context;
  readonly start: Start;
  readonly title: string;
  /** Of its fields only these, in the place of what they edit. */
  readonly only?: readonly string[];
  /** Size and place of what stands for the fields until they are there. */
  readonly skeleton: string;
  readonly className: string;
  readonly onChanged?: (args: Args | undefined) => void;
  /** Told of every draft, for who keeps it. */
  readonly onDraft?: (draft: FormDraft) => void;
  readonly onClose: () => void;
  /** Above the fields. */
  readonly children?: ReactNode;
}

/** A form that somebody opened: its fields once what they start with is there. Escape leaves everything as it was. */
export function OpenedForm({
  command,
  context,
  start,
  title,
  only,
  skeleton,
  className,
  onChanged,
  onDraft,
  onClose,
  children,
}: OpenedFormProps) {
  const text = useText();
  // What was typed before the fields were there goes into them, and nowhere else.
  const opening = useRef(true);
  useEffect(() => {
    opening.current = start.status === 'loading';
    if (start.status === 'ready') arriveAtLayer();
    else if (start.status === 'failed') giveUpLayer();
  }, [start.status]);
  useEffect(
    () => () => {
      if (opening.current) giveUpLayer();
    },
    [],
  );
  return (
    <div
      {...{ [OPENING]: start.status === 'loading' || undefined }}
      role="group"
      aria-label={title}
      className={className}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
      {start.status === 'loading' && <Skeleton className={skeleton} />}
      {start.status === 'failed' && (
        <LoadError title={text('form.loadFailed')} error={start.error} retry={start.retry} />
      )}
      {start.status === 'ready' && (
        <FormFields
          {...(only ? { inline: true, only } : {})}
          {...(onChanged ? { onChanged } : {})}
          {...(onDraft ? { onDraft } : {})}
          command={command}
          context={context}
          start={start.draft}
          registry={registry}
          focus="field"
          onClose={onClose}
        />
      )}
    </div>
  );
}
