import { useEffect, useRef, type ReactNode } from 'react';

import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { useText } from '#src/i18n/i18n.ts';
import { LOADING_FORM_ATTRIBUTE } from '#src/keymap/layer.ts';
import { registry } from '#src/registry/registry.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { onLayerShown, cancelLayer } from '#src/state/key-queue.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';

import type { FormDraft } from './draft.ts';
import { FormFields } from './FormFields.tsx';
import type { InitialState } from './use-initial.ts';

interface OpenedFormProps {
  readonly command: Command;
  readonly context: Context;
  readonly start: InitialState;
  readonly title: string;
  /** Shows only these fields, inline in place of the detail that they edit. */
  readonly onlyFields?: readonly string[];
  /** Classes that size and position the skeleton while the fields load. */
  readonly skeleton: string;
  readonly className: string;
  readonly onChanged?: (args: Args | undefined) => void;
  /** Receives every draft, for a caller that stores it. */
  readonly onDraft?: (draft: FormDraft) => void;
  /** Called once the command has run, before the form closes. */
  readonly onSaved?: () => void;
  readonly onClose: () => void;
  /** Content above the fields. */
  readonly children?: ReactNode;
}

/** A form that opens on request and shows its fields once their initial values have loaded. Escape closes it. */
export function OpenedForm({
  command,
  context,
  start,
  title,
  onlyFields,
  skeleton,
  className,
  onChanged,
  onDraft,
  onSaved,
  onClose,
  children,
}: OpenedFormProps) {
  const t = useText();
  // Keystrokes typed before the fields render go into them, or are dropped if they never do.
  const isOpening = useRef(true);
  useEffect(() => {
    isOpening.current = start.status === 'loading';
    if (start.status === 'ready') onLayerShown();
    else if (start.status === 'failed') cancelLayer();
  }, [start.status]);
  useEffect(
    () => () => {
      if (isOpening.current) cancelLayer();
    },
    [],
  );
  return (
    <div
      {...{ [LOADING_FORM_ATTRIBUTE]: start.status === 'loading' || undefined }}
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
      {start.status === 'failed' && <LoadError title={t('form.loadFailed')} error={start.error} retry={start.retry} />}
      {start.status === 'ready' && (
        <FormFields
          {...(onlyFields ? { inline: true, onlyFields } : {})}
          {...(onChanged ? { onChanged } : {})}
          {...(onDraft ? { onDraft } : {})}
          {...(onSaved ? { onSaved } : {})}
          command={command}
          context={context}
          start={start.draft}
          registry={registry()}
          focus="field"
          onClose={onClose}
        />
      )}
    </div>
  );
}
