import { useEffect, useRef, useState } from 'react';

import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { titleFor } from '#commands/run/title.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';

import { FormFields } from './FormFields.tsx';
import { useInitial } from './use-initial.ts';

interface InlineFormProps {
  /** The command's id, `noun.verb`. */
  readonly command: string;
  readonly args?: Args;
  /** Hides optional fields until the user expands them. */
  readonly foldOptional?: boolean;
  /** Places the button next to the field if the form has only one field. */
  readonly buttonNextToField?: boolean;
  /** Focuses the first field on mount. */
  readonly autoFocus?: boolean;
  /** A new value resets the form to the current data, unless it is being filled in. */
  readonly version?: number;
}

const NONE: Args = {};

/** The number of resets, and the element to focus after the next one. */
interface Round {
  readonly count: number;
  readonly focus: 'field' | 'submit' | 'nothing';
}

/** Shows a command as a form within a screen. After a run, the form resets to the current values. */
export function InlineForm(props: InlineFormProps) {
  const context = useCommandContext();
  return context && <Fields key={context.organization.id} {...props} context={context} />;
}

function Fields({
  command: id,
  args = NONE,
  foldOptional = false,
  buttonNextToField = false,
  autoFocus = false,
  version = 0,
  context: currentContext,
}: InlineFormProps & { readonly context: Context }) {
  const translate = useTranslate();
  const t = useText();
  const command = registry().command(id);
  // Keep the initial context, because selecting a row elsewhere must not reset the form.
  const [context] = useState(currentContext);
  const [round, setRound] = useState<Round>({ count: 0, focus: autoFocus ? 'field' : 'nothing' });
  const section = useRef<HTMLElement>(null);
  const wasEdited = useRef(false);
  const [loadedVersion, setLoadedVersion] = useState(version);
  useEffect(() => {
    if (loadedVersion === version || wasEdited.current) return;
    setLoadedVersion(version);
    // Only the form that had focus takes it back, because other forms on the screen reset at the same time.
    const { activeElement } = document;
    const hadFocus = section.current?.contains(activeElement) ?? false;
    const hasLostFocus = activeElement === document.body;
    setRound(({ count, focus }) => ({
      count: count + 1,
      focus: hadFocus || (hasLostFocus && focus === 'submit') ? 'submit' : 'nothing',
    }));
  }, [loadedVersion, version]);
  const start = useInitial(command, args, context, round.count);
  if (!command) return null;
  const available = availability(command, currentContext);
  const loadedRound = start.status === 'ready' ? start.round : 0;
  return (
    <section
      ref={section}
      aria-label={translate(titleFor(command, args, context))}
      onChange={() => {
        wasEdited.current = true;
      }}
    >
      {start.status === 'loading' && <Skeleton className="h-20" />}
      {start.status === 'failed' && <LoadError title={t('form.loadFailed')} error={start.error} retry={start.retry} />}
      {start.status === 'ready' && (
        <fieldset disabled={!available.ok} className="contents">
          <FormFields
            key={loadedRound}
            inline
            foldOptional={foldOptional}
            buttonNextToField={buttonNextToField}
            command={command}
            context={context}
            start={start.draft}
            registry={registry()}
            focus={round.focus}
            onClose={() => {
              wasEdited.current = false;
              setRound(({ count }) => ({ count: count + 1, focus: 'submit' }));
            }}
          />
        </fieldset>
      )}
      {!available.ok && <p className="pt-2 text-label text-ink-3">{translate(available.reason.message)}</p>}
    </section>
  );
}
