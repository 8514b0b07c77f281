import { useCallback, useEffect, useState, type KeyboardEvent } from 'react';

import { texts as commandTexts, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { printLine } from '#commands/line/line.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Prepared } from '#commands/run/run.ts';
import { titleFor } from '#commands/run/title.ts';

import { useSay, useText } from '#src/i18n/i18n.ts';
import type { FormStart } from '#src/state/layers.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { Chips } from './Chips.tsx';
import {
  askedOf,
  askFor,
  stepBack,
  setArg,
  hasMore,
  isPreviewed,
  offersMore,
  startDraft,
  withValue,
  type Draft,
} from '#src/run/draft.ts';
import { readyGroups, type ReadyRow } from './ready-rows.ts';
import { formOf } from './form-of.ts';
import { Footer } from '#src/search/Footer.tsx';
import { learn } from '#src/search/habits.ts';
import { PaletteField } from '#src/search/PaletteField.tsx';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';
import { promptOf } from './prompts/all.ts';
import { DONE, type Choice } from './prompts/prompt.ts';
import type { Group } from '#src/search/rows.ts';
import { useActiveRow } from '#src/search/use-active-row.ts';
import { useChoices } from './use-choices.ts';
import { useCurrent } from './use-current.ts';
import { useKeyHold } from '#src/palette/use-key-hold.ts';
import { useOutline } from '#src/palette/plan/use-outline.ts';
import { usePlanned } from '#src/palette/plan/use-planned.ts';

type TakenRow = Choice | ReadyRow;

/** An Enter that came before there was anything to take. */
interface Waiting {
  readonly asked: string;
  readonly text: string;
  readonly more: boolean;
}

interface ArgumentPromptProps {
  readonly registry: Registry;
  readonly context: Context;
  readonly command: Command;
  readonly args: Args;
  /** The plan that was made already: shown at once. */
  readonly prepared: Prepared | undefined;
  /** Enter was pressed on the whole line already. */
  readonly submitted: boolean;
  readonly onRun: (prepared: Prepared) => void;
  readonly onForm: (form: FormStart) => void;
  readonly onCopy: (line: string) => void;
  /** Back to the search. */
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** Asks for what a command still needs, one by one, then shows its plan. Enter runs exactly the plan that is shown. */
export function ArgumentPrompt({
  registry,
  context,
  command,
  args: given,
  prepared: first,
  submitted: asSubmitted,
  onRun,
  onForm,
  onCopy,
  onBack,
  onClose,
}: ArgumentPromptProps) {
  const say = useSay();
  const text = useText();
  const [draft, setDraft] = useState<Draft>(() => startDraft(command, first?.given ?? given, context));
  const asked = askedOf(draft);
  const param = asked === undefined ? undefined : command.params[asked];
  const [waiting, setWaiting] = useState<Waiting>();
  const isWaiting = waiting !== undefined && waiting.asked === asked && waiting.text === draft.text;
  const choices = useChoices(command, asked, draft.text, draft.args, context, isWaiting);
  const [confirming, setConfirming] = useState<Prepared | undefined>(first);
  const ready = asked === undefined ? readyGroups(draft, { context, say, texts: text, prepared: confirming }) : [];
  const groups: readonly Group<TakenRow>[] = asked === undefined ? ready : choices.groups;
  const rows = useActiveRow(groups, asked !== undefined && choices.pending);

  const { active } = rows;
  const pointed =
    asked !== undefined && active && 'value' in active && active.reason === undefined
      ? withValue(draft, asked, active.value)
      : undefined;
  const would = asked === undefined ? draft.args : pointed?.complete ? pointed.args : undefined;
  const args = asked === undefined || isPreviewed(draft, context) ? would : undefined;
  const outline = useOutline(command, would, context);
  const { planned, submitted, submit } = usePlanned({
    command,
    args,
    accepted: asked === undefined,
    context,
    first,
    outline,
    submitted: asSubmitted,
    onRun,
    onPrepared: setConfirming,
  });
  /** Enter was pressed already, and waits for the plan. */
  const isWorking = submitted && planned.status !== 'failed';
  const isComing = isWaiting && (choices.pending || active !== undefined);
  const confirm = asked === undefined ? confirming?.plan?.confirm : undefined;
  useKeyHold(isComing || isWorking, asked ?? (confirm === undefined ? undefined : 'confirm'));
  const shownArgs = would ?? draft.args;

  // What it is now stands in the field to be edited, unless typing was quicker.
  const typeCurrent = useCallback((name: string, current: string) => {
    setDraft((now) => (askedOf(now) === name && now.text === '' ? { ...now, text: current } : now));
  }, []);
  useCurrent(command, asked, draft.args, context, typeCurrent);

  const change = (next: Draft): void => {
    setDraft(next);
    setWaiting(undefined);
    rows.setActive(undefined);
  };

  const outlined = outline !== undefined && (planned.status === 'none' || planned.status === 'preparing');
  const isVain = changesNothing(planned.status === 'ready' ? planned.prepared.plan : outlined ? outline : undefined);

  /** Whether taking a row runs the command, and does not only give it a value. */
  const runs = (row: TakenRow | undefined): boolean => {
    if (isVain) return false;
    if (row === undefined || 'run' in row) return row !== undefined;
    const first = asked !== undefined && draft.chosen === undefined && !offersMore(draft);
    return first && 'value' in row && !row.stays && withValue(draft, asked, row.value).complete;
  };

  /** With `more`, what may be left out is offered before anything runs. */
  const take = (row: TakenRow, more = false): void => {
    if (row.reason !== undefined) return;
    if ('run' in row) return submit(draft.args);
    if ('param' in row && row.param !== undefined) return change(askFor(draft, row.param));
    if (!('value' in row) || asked === undefined) return;
    const next =
      row.id === DONE
        ? { ...draft, chosen: undefined }
        : setArg(draft, asked, row.value, row.label, row.stays ?? false);
    if (param?.kind === 'ref') learnItem(row.id);
    if (!more && runs(row)) submit(next.args);
    change(next);
  };

  // An Enter that came before the rows takes the first of them once they are there.
  const awaited = isWaiting && active && !choices.pending ? active : undefined;
  useEffect(() => {
    if (!awaited) return undefined;
    let live = true;
    queueMicrotask(() => {
      if (!live) return;
      setWaiting(undefined);
      take(awaited, waiting?.more);
    });
    return () => {
      live = false;
    };
    // What it does is decided by what was pressed and what is announced now.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [awaited]);

  /** An item's row is named by its entity and its id. */
  const learnItem = (id: string): void => {
    const at = id.indexOf(' ');
    if (at > 0 && registry.entity(id.slice(0, at))) learn(context, id.slice(0, at), id.slice(at + 1));
  };

  const openForm = (): void => onForm(formOf(draft, asked, active));
  const goBack = (): void => {
    const before = stepBack(draft);
    if (before) change(before);
    else onBack();
  };
  const copy = (): void => onCopy(printLine({ id: command.id, args: shownArgs }, registry));
  const enter = (more = false): void => {
    if (asked !== undefined && !active && choices.pending) setWaiting({ asked, text: draft.text, more });
    else if (active) take(active, more);
  };

  const onKey = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    if (event.key === 'Tab') {
      event.preventDefault();
      openForm();
      return true;
    }
    if (event.key === 'Backspace' && draft.text === '') {
      event.preventDefault();
      goBack();
      return true;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) enter(event.shiftKey);
      return true;
    }
    const { selectionStart, selectionEnd } = event.currentTarget;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && selectionStart === selectionEnd) {
      event.preventDefault();
      copy();
      return true;
    }
    return false;
  };

  // Only what is on the screen is run; without a plan, Enter makes it.
  const planReady = command.plan === undefined || planned.status === 'ready' || outlined;
  const enterDoes = !runs(rows.active) ? 'take' : planReady ? 'run' : 'plan';
  const canTake = !isWorking && (rows.active === undefined || rows.active.reason === undefined);
  const unplanned = command.plan !== undefined && planned.status === 'none' && !outlined && runs(rows.active);
  const failure = planned.status === 'failed' ? planned : undefined;
  const problem = choices.problem ?? failure?.message;
  const title = say(titleFor(command, draft.args, context));
  const label = asked === undefined ? title : say(commandTexts.param(command, asked));
  return (
    <>
      <PaletteField
        {...rows}
        label={`${title}: ${label}`}
        listLabel={label}
        placeholder={
          confirm === undefined ? (asked === undefined ? '' : label) : text('palette.confirm', { text: confirm })
        }
        chips={<Chips draft={draft} wrong={failure?.param} registry={registry} context={context} />}
        text={draft.text}
        onText={(next) => change({ ...draft, text: next })}
        groups={groups}
        onTake={take}
        onKey={onKey}
        masked={param !== undefined && promptOf(param.kind).masked}
        {...(problem ? { problem: say(problem) } : {})}
        status={
          choices.loading
            ? text('palette.searching')
            : asked === undefined || active
              ? ''
              : text(draft.text === '' ? 'palette.type' : 'palette.nothing')
        }
      />
      <section
        aria-label={text('palette.plan')}
        aria-live="polite"
        className="border-t border-line bg-surface-0 px-4 py-2.5"
      >
        {planned.status === 'ready' && <PlanView prepared={planned.prepared} organization={context.organization} />}
        {outlined && <PlanView prepared={{ command, plan: outline }} organization={context.organization} />}
        {planned.status === 'preparing' && command.plan && <Planning progress={planned.progress} outlined={outlined} />}
        {asked !== undefined && planned.status === 'none' && !outlined && !unplanned && (
          <p className="text-ink-3">{say(commandTexts.about(command))}</p>
        )}
        {unplanned && <p className="text-ink-3">{text('palette.unplanned', { count: context.focus?.count ?? 0 })}</p>}
        <p className="mt-1 type-mono break-words text-ink-2">
          {printLine({ id: command.id, args: shownArgs }, registry)}
        </p>
      </section>
      <Footer
        hints={[
          ...(canTake
            ? [{ keys: formatKeys('Enter'), label: text(`palette.hint.${enterDoes}`), run: () => enter() }]
            : []),
          ...(runs(rows.active) && asked !== undefined && hasMore(command)
            ? [{ keys: formatKeys('Shift+Enter'), label: text('palette.hint.more'), run: () => enter(true) }]
            : []),
          { keys: formatKeys('Tab'), label: text('palette.hint.form'), run: openForm },
          { keys: formatKeys('Backspace'), label: text('palette.hint.back'), run: goBack },
          { keys: formatKeys('$mod+c'), label: text('palette.hint.copy'), run: copy },
          { keys: formatKeys('Escape'), label: text('palette.hint.close'), run: onClose },
        ]}
      />
    </>
  );
}
