import { useState } from 'react';

import { availability } from '#commands/core/availability';
import { texts as commandTexts } from '#commands/core/command';
import type { Context } from '#commands/core/context';
import type { Args } from '#commands/core/invocation';
import { registry } from '#commands/all';

import { useCommandContext } from '../../host/use-context.ts';
import { useSay, useText } from '../../i18n.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { FormFields } from './FormFields.tsx';
import { useInitial } from './use-initial.ts';

interface InlineFormProps {
  /** `noun.verb`. */
  readonly command: string;
  readonly args?: Args;
  /** What may be left out stays out of sight until it is asked for. */
  readonly folds?: boolean;
  /** Its first field takes the focus when it appears. */
  readonly autoFocus?: boolean;
  /** After it has run. */
  readonly onDone?: () => void;
}

const NONE: Args = {};

/** A command as a form within a screen. Once it has run it begins anew, with the values that are now. */
export function InlineForm({ command, args = NONE, folds = false, autoFocus = false, onDone }: InlineFormProps) {
  const context = useCommandContext();
  const [turn, setTurn] = useState(0);
  if (!context) return null;
  const done = (): void => {
    setTurn(turn + 1);
    onDone?.();
  };
  const first = autoFocus ? 'field' : 'nothing';
  return (
    <Fields
      key={`${turn} ${context.organization.id}`}
      {...{ command, args, folds, context }}
      focus={turn > 0 ? 'submit' : first}
      onDone={done}
    />
  );
}

interface FieldsProps {
  readonly command: string;
  readonly args: Args;
  readonly folds: boolean;
  readonly context: Context;
  readonly focus: 'field' | 'submit' | 'nothing';
  readonly onDone: () => void;
}

function Fields({ command, args, folds, context: now, focus, onDone }: FieldsProps) {
  const say = useSay();
  const text = useText();
  const of = registry.command(command);
  // The one it began with: a form does not begin anew because a row elsewhere was selected.
  const [context] = useState(now);
  const start = useInitial(of, args, context);
  if (!of) return null;
  const available = availability(of, now);
  return (
    <section aria-label={say(commandTexts.title(of))}>
      {start.status === 'loading' && <Skeleton className="h-20" />}
      {start.status === 'failed' && (
        <ErrorState
          title={text('form.loadFailed')}
          message={say(start.message)}
          retry={{ label: text('screen.retry'), run: start.retry }}
        />
      )}
      {start.status === 'ready' && (
        <fieldset disabled={!available.ok} className="contents">
          <FormFields
            inline
            folds={folds}
            command={of}
            context={context}
            start={start.draft}
            registry={registry}
            focus={focus}
            onClose={onDone}
          />
        </fieldset>
      )}
      {!available.ok && <p className="pt-2 text-label text-ink-3">{say(available.reason.message)}</p>}
    </section>
  );
}
