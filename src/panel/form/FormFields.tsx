import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import { texts as commandTexts, type Command } from '#commands/core/command';
import type { Context } from '#commands/core/context';
import { printLine } from '#commands/core/line';
import type { Param } from '#commands/core/kinds';
import { message } from '#commands/core/message';
import type { Registry } from '#commands/core/registry';
import { prepare, type Prepared } from '#commands/core/run';
import { failed, succeeded } from '#commands/core/result';

import { report } from '../../data/report.ts';
import { execute } from '../../host/runner.ts';
import { useSay, useText } from '../../i18n.ts';
import { formatKeys } from '../../keys/format.ts';
import { copyLine } from '../../palette/copy-line.ts';
import { PlanView } from '../../palette/PlanView.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { ParamControl } from './controls.tsx';
import { argsOf, enter, isVarious, problemsOf, refusal, shownValue, type FormDraft } from './draft.ts';

interface FormFieldsProps {
  readonly command: Command;
  readonly context: Context;
  readonly start: FormDraft;
  readonly registry: Registry;
  /** Part of a screen: no line, and no way to close it. */
  readonly inline?: boolean;
  /** What takes the focus when it appears. */
  readonly focus: 'field' | 'submit' | 'nothing';
  /** Closes it; an inline one begins anew. */
  readonly onClose: () => void;
}

/** The fields, the line they make, and running it: at once, or after a look at the plan where one is needed. */
export function FormFields({ command, context, start, registry, inline = false, focus, onClose }: FormFieldsProps) {
  const say = useSay();
  const text = useText();
  const [draft, setDraft] = useState(start);
  const [planned, setPlanned] = useState<Prepared>();
  const [confirmation, setConfirmation] = useState('');
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const args = argsOf(command, draft);
  const line = printLine({ id: command.id, args }, registry);
  const confirm = planned?.plan?.confirm;

  useEffect(() => {
    const wanted = { field: 'input, select, textarea', submit: 'button[type="submit"]', nothing: undefined }[focus];
    if (wanted) form.current?.querySelector<HTMLElement>(wanted)?.focus();
  }, [focus]);

  const refuse = (problems: FormDraft['problems']): void => {
    setDraft((now) => ({ ...now, problems }));
    // The first field that is wrong is where one goes on.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  const run = async (prepared: Prepared): Promise<void> => {
    const done = await execute(prepared);
    // What failed was said; what was entered stays, to be tried again.
    if (done && (failed(done.outcome).length === 0 || succeeded(done.outcome).length > 0)) onClose();
  };

  const submit = async (): Promise<void> => {
    if (busy) return;
    const problems = problemsOf(command, draft, context);
    if (Object.keys(problems).length > 0) return refuse(problems);
    const asked = Object.keys(args).some((name) => !(command.params[name]?.kind === 'many'));
    if (command.initial && !asked) return refuse({ '': message('console:form.unchanged') });
    if (planned && (confirm === undefined || confirmation.trim() === confirm)) return attempt(() => run(planned));
    if (planned) return undefined;
    return attempt(async () => {
      const prepared = await prepare(command, args, context);
      if (prepared.confirm) setPlanned(prepared);
      else await run(prepared);
    });
  };

  const attempt = async (task: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await task();
    } catch (error) {
      report(error);
      refuse(refusal(command, error));
    } finally {
      setBusy(false);
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
      className={inline ? 'grid gap-3' : 'flex min-h-0 flex-1 flex-col'}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={cx('grid content-start gap-3', !inline && 'min-h-0 flex-1 overflow-y-auto px-4 pb-4')}>
        {Object.entries(command.params).map(([name, param]) => (
          <ParamField
            key={name}
            name={name}
            param={param}
            command={command}
            draft={draft}
            context={context}
            onDraft={(next) => {
              setDraft(next);
              setPlanned(undefined);
            }}
          />
        ))}
      </div>
      <div className={cx('grid gap-2', !inline && 'border-t border-line bg-surface-0 px-4 py-3')}>
        {general && (
          <p role="alert" className="text-error-text">
            {say(general)}
          </p>
        )}
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
        <div className="flex gap-2">
          <Button
            type="submit"
            tone={command.effect === 'destructive' ? 'danger' : 'primary'}
            {...(inline ? {} : { keys: formatKeys('$mod+Enter') })}
            disabled={busy || (confirm !== undefined && confirmation.trim() !== confirm)}
          >
            {planned ? text('form.run') : say(commandTexts.title(command))}
          </Button>
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

interface ParamFieldProps {
  readonly name: string;
  readonly param: Param;
  readonly command: Command;
  readonly draft: FormDraft;
  readonly context: Context;
  readonly onDraft: (draft: FormDraft) => void;
}

function ParamField({ name, param, command, draft, context, onDraft }: ParamFieldProps) {
  const say = useSay();
  const text = useText();
  const problem = draft.problems[name];
  const blocked = param.blocked?.(context);
  const various = isVarious(draft, name);
  return (
    <Field
      label={say(commandTexts.param(command, name))}
      required={param.required}
      errors={problem ? [say(problem)] : []}
      aside={various ? text('form.various') : undefined}
      {...(blocked ? { hint: say(blocked) } : {})}
    >
      <fieldset disabled={blocked !== undefined} className="contents">
        <ParamControl
          param={param}
          value={shownValue(draft, name)}
          various={various}
          context={context}
          onValue={(value, wrong) => onDraft(enter(draft, name, value, wrong))}
        />
      </fieldset>
    </Field>
  );
}
