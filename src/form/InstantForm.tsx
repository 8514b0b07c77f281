import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { invoke } from '#src/run/invoke.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { cx } from '#src/ui/cx.ts';
import { Skeleton } from '#src/ui/Skeleton.tsx';

import { enteredArgs, type FormDraft } from './draft.ts';
import { ParamFields } from './ParamFields.tsx';
import { useInitial } from './use-initial.ts';
import { useParamForm } from './use-param-form.ts';

interface InstantFormProps {
  /** The id of a command, `noun.verb`. Its params are choices and flags, and it accepts each of them on its own. */
  readonly command: string;
  readonly args: Args;
  /** A new value resets the form to the current data. */
  readonly version: number;
}

/** A form without a button. Each setting is saved as soon as it is chosen, and undo restores the previous choice. */
export function InstantForm({ command: id, args, version }: InstantFormProps) {
  const context = useCommandContext();
  const command = registry().command(id);
  if (!command || !context) return null;
  return <Choices key={context.organization.id} command={command} args={args} version={version} context={context} />;
}

interface ChoicesProps extends Omit<InstantFormProps, 'command'> {
  readonly command: Command;
  readonly context: Context;
}

function Choices({ command, args, version, context: currentContext }: ChoicesProps) {
  const translate = useTranslate();
  const t = useText();
  const [context] = useState(currentContext);
  const [saveCount, setSaveCount] = useState(0);
  const onSaved = useCallback(() => setSaveCount((count) => count + 1), []);
  const start = useInitial(command, args, context, version + saveCount);
  if (start.status === 'loading') return <Skeleton className="h-10" />;
  if (start.status === 'failed') {
    return <LoadError title={t('form.loadFailed')} error={start.error} retry={start.retry} />;
  }
  const available = availability(command, currentContext);
  return (
    <section aria-label={translate(commandLabels.title(command))}>
      <fieldset disabled={!available.ok} className="contents">
        <Fields command={command} context={context} start={start.draft} round={start.round} onSaved={onSaved} />
      </fieldset>
      {!available.ok && <p className="pt-2 text-label text-ink-3">{translate(available.reason.message)}</p>}
    </section>
  );
}

interface FieldsProps {
  readonly command: Command;
  readonly context: Context;
  readonly start: FormDraft;
  /** The round of `start`, which includes the choices from earlier rounds unless they were refused. */
  readonly round: number;
  readonly onSaved: () => void;
}

/** The debounce delay. Moving through a list with the arrow keys selects other choices on the way. */
const DEBOUNCE_MS = 400;

const NOTHING: Args = {};

function Fields({ command, context, start, round, onSaved }: FieldsProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsaved = useRef<Args>(NOTHING);
  const names = Object.keys(command.params);

  const save = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    const args = unsaved.current;
    if (args === NOTHING) return;
    unsaved.current = NOTHING;
    // A refusal is shown as a toast. The field then returns to the current value.
    await invoke({ id: command.id, args });
    onSaved();
  }, [command, onSaved]);
  // Saves a pending choice when the screen is left.
  useEffect(() => () => void save(), [save]);

  const form = useParamForm({
    command,
    context,
    start: { ...start, values: start.initial, entered: [] },
    onInput: (input) => {
      unsaved.current = enteredArgs(input);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), DEBOUNCE_MS);
    },
  });
  const showCurrent = useEffectEvent(() => form.restart(start.initial));
  // Before the browser paints, so a field does not show its previous value in between.
  useLayoutEffect(() => showCurrent(), [round]);
  return (
    <div className={cx('grid content-start gap-3', names.length > 4 && 'sm:grid-cols-2')} onBlur={() => void save()}>
      <ParamFields names={names} form={form} hasValues />
    </div>
  );
}
