import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import { printLine } from '#commands/line/line.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context, Progress } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { failedResults, succeededResults } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import { titleFor } from '#commands/run/title.ts';
import { message } from '#commands/text/message.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { report } from '#src/net/report.ts';
import { copyLine } from '#src/run/copy-line.ts';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';
import { execute } from '#src/run/runner.ts';
import { useUnsaved } from '#src/run/use-unsaved.ts';
import { holdKeys } from '#src/state/key-queue.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Disclosure } from '#src/ui/Disclosure.tsx';
import { Field } from '#src/ui/fields/Field.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';

import { argsOf, problemsOf, refusalProblems, type FormDraft } from './draft.ts';
import { ParamFields } from './ParamFields.tsx';

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
  start,
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
  const [draft, setDraft] = useState(start);
  const [plannedRun, setPlanned] = useState<PreparedRun>();
  const [confirmation, setConfirmation] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const [refusalCount, setRefusalCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const args = argsOf(command, draft);
  const line = printLine({ id: command.id, args }, registry);
  const preview = command.preview?.({ ...draft.initialValues, ...draft.enteredValues });
  const confirm = plannedRun?.plan?.confirm;
  const names =
    onlyFields ?? Object.keys(command.params).filter((name) => !inline || command.params[name]?.kind !== 'many');
  const isFolded = (name: string): boolean => foldOptional && !command.params[name]?.required;
  const [visibleNames, foldedNames] = [names.filter((name) => !isFolded(name)), names.filter(isFolded)];
  // If the current values are unchanged, there is nothing to submit, so the button is not emphasized.
  const isUnchanged = inline && command.initial !== undefined && Object.keys(draft.enteredValues).length === 0;
  const hasSingleField = buttonNextToField && names.length === 1;
  const [isUnfolded, setUnfolded] = useState(false);
  const edit = (next: FormDraft): void => {
    setDraft(next);
    setPlanned(undefined);
    const changedArgs = argsOf(command, next);
    onChanged?.(names.some((name) => name in next.enteredValues && name in changedArgs) ? changedArgs : undefined);
  };

  useEffect(() => {
    const selector = { field: 'input, select, textarea', submit: 'button[type="submit"]', nothing: undefined }[focus];
    const hasLostFocus = document.activeElement === document.body;
    if (selector && (focus === 'field' || hasLostFocus)) form.current?.querySelector<HTMLElement>(selector)?.focus();
  }, [focus]);

  useEffect(() => onDraft?.(draft), [draft, onDraft]);
  useUnsaved(command, { id: command.id, args: draft.enteredValues, typed: draft.invalidTexts }, isBusy);

  const refuse = (problems: FormDraft['problems']): void => {
    setDraft((current) => ({ ...current, problems }));
    if (foldedNames.some((name) => problems[name])) setUnfolded(true);
    setRefusalCount((before) => before + 1);
  };

  // Focuses the first invalid field once it is rendered.
  useEffect(() => {
    if (refusalCount > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusalCount]);

  /** Runs the command. Returns true if the form is done and can close. */
  const run = async (preparedRun: PreparedRun): Promise<boolean> => {
    const completedRun = await execute(preparedRun);
    if (!completedRun) return false;
    const failures = failedResults(completedRun.outcome);
    // `execute` has already shown the failure. Keep the input for another attempt, unless it would create a second
    // item.
    const created = failures.some(({ failure }) => failure?.createdItem);
    return failures.length === 0 || created || succeededResults(completedRun.outcome).length > 0;
  };

  const submit = async (): Promise<void> => {
    if (isBusy) return;
    const problems = problemsOf(command, draft, context);
    if (Object.keys(problems).length > 0) return refuse(problems);
    const hasValues = Object.keys(args).some((name) => !(command.params[name]?.kind === 'many'));
    if (command.initial && !hasValues)
      return onlyFields ? onClose() : refuse({ '': message('console:form.unchanged') });
    if (plannedRun && (confirm === undefined || confirmation.trim() === confirm)) return attempt(() => run(plannedRun));
    if (plannedRun) return undefined;
    return attempt(async () => {
      const preparedRun = await prepare(command, args, { ...context, progress: setProgress });
      if (!preparedRun.confirm) return run(preparedRun);
      setPlanned(preparedRun);
      return false;
    });
  };

  const attempt = async (task: () => Promise<boolean>): Promise<void> => {
    setBusy(true);
    // Keystrokes after submitting go to the command's destination, or are dropped if the form stays open.
    const keys = inline && !onlyFields ? undefined : holdKeys({ limitMs: MAX_HOLD_MS });
    try {
      if (await task()) {
        onSaved?.();
        flushSync(onClose);
        keys?.release();
      }
    } catch (error) {
      report(error);
      refuse(refusalProblems(command, error));
    } finally {
      keys?.drop();
      setBusy(false);
      setProgress(undefined);
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };

  const generalProblem = draft.problems[''];
  return (
    <form
      ref={form}
      noValidate
      className={
        inline
          ? cx('grid gap-3', hasSingleField && 'sm:grid-cols-[minmax(0,1fr)_172px]')
          : 'flex min-h-0 flex-1 flex-col'
      }
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={cx('grid content-start gap-3', inline ? inlineColumns(visibleNames.length) : PANEL)}>
        <ParamFields names={visibleNames} command={command} draft={draft} context={context} onDraft={edit} />
        {foldedNames.length > 0 && (
          <Disclosure open={isUnfolded} onOpenChange={setUnfolded} head={<Fold open={isUnfolded} />}>
            <div className="grid gap-3 pt-2">
              <ParamFields names={foldedNames} command={command} draft={draft} context={context} onDraft={edit} />
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
            {...(inline ? {} : { keys: toKeyHint('$mod+Enter') })}
            disabled={isBusy || (confirm !== undefined && confirmation.trim() !== confirm)}
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
