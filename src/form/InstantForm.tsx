import { useCallback, useEffect, useRef, useState } from 'react';

import { availability } from '#commands/run/availability.ts';
import { texts as commandTexts, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { registry } from '#commands/nouns/all.ts';

import { invoke } from '#src/run/runner.ts';
import { useCommandContext } from '#src/run/use-context.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';
import type { FormDraft } from './draft.ts';
import { ParamFields } from './ParamFields.tsx';
import { useInitial } from './use-initial.ts';

interface InstantFormProps {
  /** `noun.verb`: its params are choices and flags, and it takes any of them alone. */
  readonly command: string;
  readonly args: Args;
  /** Another one begins anew with what is now. */
  readonly version: number;
}

/** Settings that are saved as they are chosen: no button, and undo takes a choice back. */
export function InstantForm({ command, args, version }: InstantFormProps) {
  const context = useCommandContext();
  const of = registry.command(command);
  if (!of || !context) return null;
  return <Choices key={context.organization.id} of={of} args={args} version={version} context={context} />;
}

interface ChoicesProps extends Omit<InstantFormProps, 'command'> {
  readonly of: Command;
  readonly context: Context;
}

function Choices({ of, args, version, context: now }: ChoicesProps) {
  const say = useSay();
  const text = useText();
  const [context] = useState(now);
  const [saved, setSaved] = useState(0);
  const onSaved = useCallback(() => setSaved((times) => times + 1), []);
  const start = useInitial(of, args, context, version + saved);
  if (start.status === 'loading') return <Skeleton className="h-10" />;
  if (start.status === 'failed') {
    return <LoadError title={text('form.loadFailed')} error={start.error} retry={start.retry} />;
  }
  const available = availability(of, now);
  return (
    <section aria-label={say(commandTexts.title(of))}>
      <fieldset disabled={!available.ok} className="contents">
        <Fields of={of} context={context} start={start.draft} round={start.round} onSaved={onSaved} />
      </fieldset>
      {!available.ok && <p className="pt-2 text-label text-ink-3">{say(available.reason.message)}</p>}
    </section>
  );
}

interface FieldsProps {
  readonly of: Command;
  readonly context: Context;
  readonly start: FormDraft;
  /** Of `start`: what was chosen before it is in it, or was refused. */
  readonly round: number;
  readonly onSaved: () => void;
}

/** A list that is walked by keys or letters passes other choices on its way: it is saved when it rests. */
const REST_MS = 400;

const NOTHING: Args = {};

function Fields({ of, context, start, round, onSaved }: FieldsProps) {
  const [chosen, setChosen] = useState({ round, args: NOTHING });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsaved = useRef<Args>(NOTHING);
  const names = Object.keys(of.params);
  const draft = { ...start, entered: chosen.round === round ? chosen.args : NOTHING };

  const save = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    const args = unsaved.current;
    if (args === NOTHING) return;
    unsaved.current = NOTHING;
    // What is refused is said; the field then shows again what is.
    await invoke({ id: of.id, args });
    onSaved();
  }, [of, onSaved]);
  // Whoever leaves the screen has chosen.
  useEffect(() => () => void save(), [save]);

  const change = (next: FormDraft): void => {
    const args = Object.fromEntries(
      names.filter((name) => name in next.entered).map((name) => [name, next.entered[name]]),
    );
    setChosen({ round, args });
    unsaved.current = args;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), REST_MS);
  };
  return (
    <div className={cx('grid content-start gap-3', names.length > 4 && 'sm:grid-cols-2')} onBlur={() => void save()}>
      <ParamFields names={names} command={of} draft={draft} context={context} chosen onDraft={change} />
    </div>
  );
}
