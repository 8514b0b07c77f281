import { useState } from 'react';

import { targetParam, type Command } from '#commands/core/command';
import { registry } from '#commands/all';

import { contextNow } from '../host/context.ts';
import { useSay, useText } from '../i18n.ts';
import { LoadError } from '../host/LoadError.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { FormFields } from './form/FormFields.tsx';
import { useInitial } from './form/use-initial.ts';

interface FactEditorProps {
  readonly command: Command;
  /** The item that it edits, whatever is selected. */
  readonly id: string;
  /** The params that are about the fact. */
  readonly names: readonly string[];
  readonly title: string;
  readonly onClose: () => void;
}

/** The fields of a fact, in its place. Escape leaves it as it was. */
export function FactEditor({ command, id, names, title, onClose }: FactEditorProps) {
  const say = useSay();
  const text = useText();
  const [context] = useState(() => contextNow());
  const target = targetParam(command);
  const [args] = useState(() => (target ? { [target.name]: { ids: [id] } } : {}));
  const start = useInitial(command, args, context);
  return (
    <div
      role="group"
      aria-label={title}
      className="rounded-field border border-line bg-surface-0 p-3"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {start.status === 'loading' && <Skeleton className="h-14" />}
      {start.status === 'failed' && (
        <LoadError title={text('form.loadFailed')} message={say(start.message)} retry={start.retry} />
      )}
      {start.status === 'ready' && (
        <FormFields
          inline
          only={names}
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
