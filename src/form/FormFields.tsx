import { ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';

import type { Command } from '#commands/model/command.ts';
import type { Context, Progress } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { printLine } from '#commands/line/line.ts';
import { message } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { prepare, type Prepared } from '#commands/run/run.ts';
import { failed, succeeded } from '#commands/model/result.ts';
import { titleFor } from '#commands/run/title.ts';

import { report } from '#src/net/report.ts';
import { execute } from '#src/run/runner.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { copyLine } from '#src/run/copy-line.ts';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';
import { holdKeys } from '#src/state/arrival.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Disclosure } from '#src/ui/Disclosure.tsx';
import { Field } from '#src/ui/fields/Field.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { argsOf, problemsOf, refusal, type FormDraft } from './draft.ts';
import { ParamFields } from './ParamFields.tsx';

interface FormFieldsProps {
  readonly command: Command;
  readonly context: Context;
  readonly start: FormDraft;
  readonly registry: Registry;
  /** Part of a screen: no line, and no way to close it. */
  readonly inline?: boolean;
  /** What may be left out stays out of sight until it is asked for. */
  readonly folds?: boolean;
  /** A single field has its button beside it. */
  readonly beside?: boolean;
  /** Of its fields only these, in the place of what they edit: it is saved, or left as it was. */
  readonly only?: readonly string[];
  /** What takes the focus when it appears: the button only where the form before it took the focus away with it. */
  readonly focus: 'field' | 'submit' | 'nothing';
  /** Tells what was changed and not run yet; undefined when that is nothing. */
  readonly onChanged?: (args: Args | undefined) => void;
  /** Told of every draft, for who keeps it. */
  readonly onDraft?: (draft: FormDraft) => void;
  /** Closes it; an inline one begins anew. */
  readonly onClose: () => void;
}

/** The fields, the line they make, and running it: at once, or after a look at the plan where one is needed. */
export function FormFields({
  command,
  context,
  start,
  registry,
  inline = false,
  folds = false,
  beside = false,
  only,
  focus,
  onChanged,
  onDraft,
  onClose,
}: FormFieldsProps) {
  const say = useSay();
  const text = useText();
  const [draft, setDraft] = useState(start);
  const [planned, setPlanned] = useState<Prepared>();
  const [confirmation, setConfirmation] = useState('');
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const [refusals, setRefusals] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const args = argsOf(command, draft);
  const line = printLine({ id: command.id, args }, registry);
  const confirm = planned?.plan?.confirm;
  const names = only ?? Object.keys(command.params).filter((name) => !inline || command.params[name]?.kind !== 'many');
  const isFolded = (name: string): boolean => folds && !command.params[name]?.required;
  const [shown, folded] = [names.filter((name) => !isFolded(name)), names.filter(isFolded)];
  // A form that shows what is now has nothing to do yet, and does not ask to be pressed.
  const unchanged = inline && command.initial !== undefined && Object.keys(draft.entered).length === 0;
  const one = beside && names.length === 1;
  const [unfolded, setUnfolded] = useState(false);
  const edit = (next: FormDraft): void => {
    setDraft(next);
    setPlanned(undefined);
    const changed = argsOf(command, next);
    onChanged?.(names.some((name) => name in next.entered && name in changed) ? changed : undefined);
  };

  useEffect(() => {
    const wanted = { field: 'input, select, textarea', submit: 'button[type="submit"]', nothing: undefined }[focus];
    const lost = document.activeElement === document.body;
    if (wanted && (focus === 'field' || lost)) form.current?.querySelector<HTMLElement>(wanted)?.focus();
  }, [focus]);

  useEffect(() => onDraft?.(draft), [draft, onDraft]);

  const refuse = (problems: FormDraft['problems']): void => {
    setDraft((now) => ({ ...now, problems }));
    if (folded.some((name) => problems[name])) setUnfolded(true);
    setRefusals((before) => before + 1);
  };

  // The first field that is wrong is where one goes on, once it is drawn as such.
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  /** @returns whether the form has done its work, and closes */
  const run = async (prepared: Prepared): Promise<boolean> => {
    const done = await execute(prepared);
    // What failed was said; what was entered stays, to be tried again.
    return done !== undefined && (failed(done.outcome).length === 0 || succeeded(done.outcome).length > 0);
  };

  const submit = async (): Promise<void> => {
    if (busy) return;
    const problems = problemsOf(command, draft, context);
    if (Object.keys(problems).length > 0) return refuse(problems);
    const asked = Object.keys(args).some((name) => !(command.params[name]?.kind === 'many'));
    if (command.initial && !asked) return only ? onClose() : refuse({ '': message('console:form.unchanged') });
    if (planned && (confirm === undefined || confirmation.trim() === confirm)) return attempt(() => run(planned));
    if (planned) return undefined;
    return attempt(async () => {
      const prepared = await prepare(command, args, { ...context, progress: setProgress });
      if (!prepared.confirm) return run(prepared);
      setPlanned(prepared);
      return false;
    });
  };

  const attempt = async (task: () => Promise<boolean>): Promise<void> => {
    setBusy(true);
    // What is pressed after it was sent is for where it leads; what stays open was not meant.
    const keys = inline && !only ? undefined : holdKeys({ limitMs: LONGEST_HOLD_MS });
    try {
      if (await task()) {
        flushSync(onClose);
        keys?.release();
      }
    } catch (error) {
      report(error);
      refuse(refusal(command, error));
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

  const general = draft.problems[''];
  return (
    <form
      ref={form}
      noValidate
      className={
        inline ? cx('grid gap-3', one && 'sm:grid-cols-[minmax(0,1fr)_172px]') : 'flex min-h-0 flex-1 flex-col'
      }
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={cx('grid content-start gap-3', inline ? inlineColumns(shown.length) : PANEL)}>
        <ParamFields names={shown} command={command} draft={draft} context={context} onDraft={edit} />
        {folded.length > 0 && (
          <Disclosure open={unfolded} onOpen={setUnfolded} head={<Fold open={unfolded} />}>
            <div className="grid gap-3 pt-2">
              <ParamFields names={folded} command={command} draft={draft} context={context} onDraft={edit} />
            </div>
          </Disclosure>
        )}
      </div>
      <div
        className={cx(
          'grid content-start gap-2',
          one && ONE_FIELD,
          !inline && 'border-t border-line bg-surface-0 px-4 py-3',
        )}
      >
        {general && (
          <p role="alert" className="text-error-text">
            {say(general)}
          </p>
        )}
        {progress && <Planning progress={progress} />}
        {planned && (
          <section aria-label={text('form.plan')} aria-live="polite">
            <PlanView prepared={planned} organization={context.organization} />
          </section>
        )}
        {confirm !== undefined && (
          <Field label={text('form.confirm', { text: confirm })}>
            <TextInput value={confirmation} onText={setConfirmation} autoFocus />
          </Field>
        )}
        {!inline && <p className="type-mono break-words text-ink-3">{line}</p>}
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            tone={command.effect === 'destructive' ? 'danger' : unchanged ? 'default' : 'primary'}
            {...(inline ? {} : { keys: formatKeys('$mod+Enter') })}
            disabled={busy || (confirm !== undefined && confirmation.trim() !== confirm)}
          >
            {planned ? text('form.run') : only ? text('form.save') : say(titleFor(command, args, context))}
          </Button>
          {only && (
            <Button tone="quiet" keys={formatKeys('Escape')} onClick={onClose}>
              {text('form.cancel')}
            </Button>
          )}
          {!inline && (
            <>
              <Button tone="quiet" onClick={() => copyLine(line)}>
                {text('form.copy')}
              </Button>
              <Button tone="quiet" keys={formatKeys('Escape')} onClick={onClose}>
                {text('form.close')}
              </Button>
            </>
          )}
        </div>
      </div>
    </form>
  );
}

/** What takes longer shows its progress, and can be cancelled by key. */
const LONGEST_HOLD_MS = 2000;

const PANEL = 'min-h-0 flex-1 overflow-y-auto px-4 pb-4';

/** As high as the control beside it: below the label. */
const ONE_FIELD = 'sm:pt-[20px] [&_button]:w-full';

/** Many short fields stand two by two where there is room. */
function inlineColumns(fields: number): string {
  return fields > 4 ? 'sm:grid-cols-2' : '';
}

function Fold({ open }: { readonly open: boolean }) {
  const text = useText();
  return (
    <span className="-ml-4 flex items-center gap-1.5 text-ink-2">
      <ChevronRight size={13} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
      {text('form.more')}
    </span>
  );
}
