import { useEffect, useRef, useState } from 'react';

import { availability } from '#commands/run/availability.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { titleFor } from '#commands/run/title.ts';
import { registry } from '#commands/nouns/all.ts';

import { useCommandContext } from '#src/run/use-context.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';
import { FormFields } from './FormFields.tsx';
import { useInitial } from './use-initial.ts';

interface InlineFormProps {
  /** `noun.verb`. */
  readonly command: string;
  readonly args?: Args;
  /** What may be left out stays out of sight until it is asked for. */
  readonly folds?: boolean;
  /** A single field has its button beside it. */
  readonly beside?: boolean;
  /** Its first field takes the focus when it appears. */
  readonly autoFocus?: boolean;
  /** Another one begins the form anew with what is now, unless somebody is filling it in. */
  readonly version?: number;
}

const NONE: Args = {};

/** How often it began anew, and what takes the focus when it next does. */
interface Round {
  readonly at: number;
  readonly focus: 'field' | 'submit' | 'nothing';
}

/** A command as a form within a screen. Once it has run it begins anew, with the values that are now. */
export function InlineForm(props: InlineFormProps) {
  const context = useCommandContext();
  return context && <Fields key={context.organization.id} {...props} context={context} />;
}

function Fields({
  command,
  args = NONE,
  folds = false,
  beside = false,
  autoFocus = false,
  version = 0,
  context: now,
}: InlineFormProps & { readonly context: Context }) {
  const say = useSay();
  const text = useText();
  const of = registry.command(command);
  // The one it began with: a form does not begin anew because a row elsewhere was selected.
  const [context] = useState(now);
  const [round, setRound] = useState<Round>({ at: 0, focus: autoFocus ? 'field' : 'nothing' });
  const section = useRef<HTMLElement>(null);
  const touched = useRef(false);
  const [known, setKnown] = useState(version);
  useEffect(() => {
    if (known === version || touched.current) return;
    setKnown(version);
    // Only what had the focus takes it back: other forms of the screen begin anew at the same time.
    const { activeElement } = document;
    const held = section.current?.contains(activeElement) ?? false;
    const lost = activeElement === document.body;
    setRound(({ at, focus }) => ({
      at: at + 1,
      focus: held || (lost && focus === 'submit') ? 'submit' : 'nothing',
    }));
  }, [known, version]);
  const start = useInitial(of, args, context, round.at);
  if (!of) return null;
  const available = availability(of, now);
  const begun = start.status === 'ready' ? start.round : 0;
  return (
    <section
      ref={section}
      aria-label={say(titleFor(of, args, context))}
      onChange={() => {
        touched.current = true;
      }}
    >
      {start.status === 'loading' && <Skeleton className="h-20" />}
      {start.status === 'failed' && (
        <LoadError title={text('form.loadFailed')} error={start.error} retry={start.retry} />
      )}
      {start.status === 'ready' && (
        <fieldset disabled={!available.ok} className="contents">
          <FormFields
            key={begun}
            inline
            folds={folds}
            beside={beside}
            command={of}
            context={context}
            start={start.draft}
            registry={registry}
            focus={round.focus}
            onClose={() => {
              touched.current = false;
              setRound(({ at }) => ({ at: at + 1, focus: 'submit' }));
            }}
          />
        </fieldset>
      )}
      {!available.ok && <p className="pt-2 text-label text-ink-3">{say(available.reason.message)}</p>}
    </section>
  );
}
