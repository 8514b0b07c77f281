import { ChevronRight } from 'lucide-react';
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import { printLine } from '#commands/line/line.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { titleFor } from '#commands/run/title.ts';
import { message } from '#commands/text/message.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { isKeyOf, useKeyHints } from '#src/keymap/bindings.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { isText } from '#src/keymap/target.ts';
import { report } from '#src/net/report.ts';
import { directory } from '#src/registry/registry.ts';
import { copyLine } from '#src/run/copy-line.ts';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';
import { useUnsaved } from '#src/run/use-unsaved.ts';
import { holdKeys } from '#src/state/key-queue.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Disclosure } from '#src/ui/Disclosure.tsx';
import { Field } from '#src/ui/fields/Field.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { WHOLE_FORM } from '#src/ui/fields/use-form.ts';

import { enteredArgs, shownArgs, typedTexts, type FormDraft } from './draft.ts';
import { ParamFields } from './ParamFields.tsx';
import { useLaterChanges } from './use-later-changes.ts';
import { useParamForm } from './use-param-form.ts';
import { usePlannedRun } from './use-planned-run.ts';

interface FormFieldsProps {
  readonly command: Command;
  readonly context: Context;
  readonly start: FormDraft;
  readonly registry: Registry;
  /** True if the form is part of a screen. It then has no command line and no close button. */
  readonly inline?: boolean;
  /** Hides optional fields until the user expands them. */
  readonly foldOptional?: boolean;
  /** Places the button next to the field if the form has only one field. */
  readonly buttonNextToField?: boolean;
  /** Shows only these fields, inline in place of the detail that they edit, with buttons to save or cancel. */
  readonly onlyFields?: readonly string[];
  /** The element that takes focus on mount: `submit` only if the previous form lost focus. */
  readonly focus: 'field' | 'submit' | 'nothing';
  /** Receives the unsaved changes. Undefined if there are none. */
  readonly onChanged?: (args: Args | undefined) => void;
  /** Receives every draft, for a caller that stores it. */
  readonly onDraft?: (draft: FormDraft) => void;
  /** Called once the command has run, before the form closes. */
  readonly onSaved?: () => void;
  /** Closes the form. An inline form resets instead. */
  readonly onClose: () => void;
}

/**
 * The fields, the resulting command line, and the submit button, which runs the command or first shows its plan for
 * confirmation.
 */
export function FormFields({
  command,
  context,
  start: initialDraft,
  registry,
  inline = false,
  foldOptional = false,
  buttonNextToField = false,
  onlyFields,
  focus,
  onChanged,
  onDraft,
  onSaved,
  onClose,
}: FormFieldsProps) {
  const translate = useTranslate();
  const t = useText();
  const check = useLaterChanges(command, context, initialDraft);
  const { plannedRun, progress, start, discardPlan } = usePlannedRun(command, context, check);
  const [confirmation, setConfirmation] = useState('');
  const [isUnfolded, setUnfolded] = useState(false);
  const confirm = plannedRun?.plan?.confirm;
  const isConfirmed = confirm === undefined || confirmation.trim() === confirm;
  const names =
    onlyFields ?? Object.keys(command.params).filter((name) => !inline || command.params[name]?.kind !== 'many');
  const isFolded = (name: string): boolean => foldOptional && !command.params[name]?.required;
  const [visibleNames, foldedNames] = [names.filter((name) => !isFolded(name)), names.filter(isFolded)];

  /** True if the form edits current values, and none of them has changed. */
  const changesNothing = (args: Args): boolean =>
    command.initial !== undefined && Object.keys(args).every((name) => command.params[name]?.kind === 'many');

  const submit = async (args: Args): Promise<void> => {
    if (onlyFields && (isUnchanged || changesNothing(args))) return onClose();
    if (!isConfirmed) return;
    // Keystrokes after submitting go to the command's destination, or are dropped if the form stays open.
    const keys = inline && !onlyFields ? undefined : holdKeys({ limitMs: MAX_HOLD_MS });
    try {
      if (await start(args)) {
        onSaved?.();
        flushSync(onClose);
        keys?.release();
      }
    } catch (error) {
      report(error);
      throw error;
    } finally {
      keys?.drop();
    }
  };

  const form = useParamForm({
    command,
    context,
    start: initialDraft,
    hasField: (name) => names.includes(name),
    checkArgs: (args) => (changesNothing(args) && !onlyFields ? message('console:form.unchanged') : undefined),
    submit,
    onFailure: (errors) => {
      if (foldedNames.some((name) => errors[name])) setUnfolded(true);
    },
    onInput: ({ entered }, args) => {
      discardPlan();
      onChanged?.(names.some((name) => entered.includes(name) && name in args) ? args : undefined);
    },
  });
  const { args, draft, values, entered, element, isBusy } = form;
  const line = printLine({ id: command.id, args }, registry);
  const preview = command.preview?.(shownArgs(values));
  // If the current values are unchanged, there is nothing to submit, so the button is not emphasized.
  const isUnchanged = inline && command.initial !== undefined && entered.length === 0;
  const hasSingleField = buttonNextToField && names.length === 1;

  useEffect(() => {
    const selector = { field: FIELD, submit: 'button[type="submit"]', nothing: undefined }[focus];
    const hasLostFocus = document.activeElement === document.body;
    if (selector && (focus === 'field' || hasLostFocus)) element.current?.querySelector<HTMLElement>(selector)?.focus();
  }, [element, focus]);

  useEffect(() => onDraft?.(draft), [draft, onDraft]);
  const input = useMemo(
    () => ({ args: enteredArgs({ values, entered }), typed: typedTexts(values) }),
    [values, entered],
  );
  useUnsaved(command, { id: command.id, ...input }, isBusy);

  const submitCommand = directory().command('app.submit-form');
  const keyHints = useKeyHints();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!submitCommand || !isKeyOf(submitCommand, event.nativeEvent) || isText(event.nativeEvent)) return;
    event.preventDefault();
    form.submit();
  };

  const generalProblem = form.errors[WHOLE_FORM];
  return (
    <form
      ref={element}
      noValidate
      className={
        inline
          ? cx('grid gap-3', hasSingleField && 'sm:grid-cols-[minmax(0,1fr)_172px]')
          : 'flex min-h-0 flex-1 flex-col'
      }
      onKeyDown={onKeyDown}
      onSubmit={form.submit}
    >
      <div className={cx('grid content-start gap-3', inline ? inlineColumns(visibleNames.length) : PANEL)}>
        <ParamFields names={visibleNames} form={form} />
        {foldedNames.length > 0 && (
          <Disclosure open={isUnfolded} onOpenChange={setUnfolded} head={<Fold open={isUnfolded} />}>
            <div className="grid gap-3 pt-2">
              <ParamFields names={foldedNames} form={form} />
            </div>
          </Disclosure>
        )}
      </div>
      <div
        className={cx(
          'grid content-start gap-2',
          hasSingleField && ONE_FIELD,
          !inline && 'border-t border-line bg-surface-0 px-4 py-3',
        )}
      >
        {generalProblem && (
          <p role="alert" className="whitespace-pre-line text-error-text">
            {translate(generalProblem)}
          </p>
        )}
        {progress && <Planning progress={progress} />}
        {plannedRun && (
          <section aria-label={t('form.plan')} aria-live="polite">
            <PlanView preparedRun={plannedRun} organization={context.organization} />
          </section>
        )}
        {confirm !== undefined && (
          <Field label={t('form.confirm', { text: confirm })}>
            <TextInput value={confirmation} onText={setConfirmation} autoFocus />
          </Field>
        )}
        {preview && <output className="text-ink-2">{translate(preview)}</output>}
        {!inline && <p className="type-mono line-clamp-4 wrap-anywhere text-ink-3">{line}</p>}
        <div className="flex flex-wrap gap-1">
          <Button
            type="submit"
            tone={command.effect === 'destructive' ? 'danger' : isUnchanged ? 'default' : 'primary'}
            {...(inline ? {} : { keys: keyHints(submitCommand) })}
            disabled={isBusy || !isConfirmed}
          >
            {plannedRun ? t('form.run') : onlyFields ? t('form.save') : translate(titleFor(command, args, context))}
          </Button>
          {onlyFields && (
            <Button tone="quiet" keys={toKeyHint('Escape')} onClick={onClose}>
              {t('form.cancel')}
            </Button>
          )}
          {!inline && (
            <>
              <Button tone="quiet" className="px-2" onClick={() => copyLine(line)}>
                {t('form.copy')}
              </Button>
              <Button tone="quiet" className="px-2" keys={toKeyHint('Escape')} onClick={onClose}>
                {t('form.close')}
              </Button>
            </>
          )}
        </div>
      </div>
    </form>
  );
}

/** Selects the fields that can have the focus, including a button that picks a file. */
const FIELD = 'input:not([hidden]), select, textarea, [data-control]';

/** The maximum time that keys are held. A command that takes longer shows its progress and can be canceled by key. */
const MAX_HOLD_MS = 2000;

const PANEL = 'min-h-0 flex-1 overflow-y-auto px-4 pb-4';

/** Aligns the button with the control next to it, below the label. */
const ONE_FIELD = 'sm:pt-[20px] [&_button]:w-full';

/** Arranges many short fields in two columns if there is room. */
function inlineColumns(fieldCount: number): string {
  return fieldCount > 4 ? 'sm:grid-cols-2' : '';
}

function Fold({ open }: { readonly open: boolean }) {
  const t = useText();
  return (
    <span className="-ml-4 flex items-center gap-1.5 text-ink-2">
      <ChevronRight size={13} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
      {t('form.more')}
    </span>
  );
}
