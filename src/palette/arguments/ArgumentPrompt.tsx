import { useCallback, useState, type KeyboardEvent } from 'react';

import { printLine } from '#commands/line/line.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { titleFor } from '#commands/run/title.ts';
import { pastedList } from '#commands/text/quotes.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { useOutline } from '#src/palette/plan/use-outline.ts';
import { usePlan } from '#src/palette/plan/use-plan.ts';
import { useKeyHold } from '#src/palette/use-key-hold.ts';
import {
  promptedParam,
  promptFor,
  stepBack,
  setArg,
  hasOptionalParams,
  isPreviewed,
  offersOptionalParams,
  startDraft,
  withValue,
  type Draft,
} from '#src/run/draft.ts';
import { Planning } from '#src/run/plan/Planning.tsx';
import { PlanView } from '#src/run/plan/PlanView.tsx';
import { useUnsaved } from '#src/run/use-unsaved.ts';
import { useZoneHint } from '#src/run/zone-hint.ts';
import { Footer } from '#src/search/Footer.tsx';
import { recordUse } from '#src/search/habits.ts';
import { PaletteField } from '#src/search/PaletteField.tsx';
import type { Group } from '#src/search/rows.ts';
import { useActiveRow } from '#src/search/use-active-row.ts';
import type { FormStart } from '#src/state/layers.ts';
import { useWhenSet } from '#src/ui/use-when-set.ts';

import { Chips } from './Chips.tsx';
import { formOf } from './form-of.ts';
import { findPrompt, takesList } from './prompts/all.ts';
import { DONE, type Choice } from './prompts/prompt.ts';
import { readyGroups, type ReadyRow } from './ready-rows.ts';
import { useChoices } from './use-choices.ts';
import { useCurrentValue } from './use-current-value.ts';

type PromptRow = Choice | ReadyRow;

/** An Enter pressed before any row was available. */
interface PendingEnter {
  readonly param: string;
  readonly text: string;
  readonly offerOptional: boolean;
}

interface ArgumentPromptProps {
  readonly registry: Registry;
  readonly context: Context;
  readonly command: Command;
  readonly args: Args;
  /** An existing plan, shown immediately. */
  readonly preparedRun: PreparedRun | undefined;
  /** True if Enter was already pressed on the complete line. */
  readonly isSubmitted: boolean;
  readonly onRun: (preparedRun: PreparedRun) => void;
  readonly onForm: (form: FormStart) => void;
  readonly onCopy: (line: string) => void;
  /** Returns to the search. */
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** Prompts for a command's missing arguments, one by one, and then shows its plan. Enter runs exactly this plan. */
export function ArgumentPrompt({
  registry,
  context,
  command,
  args: initialArgs,
  preparedRun: initialRun,
  isSubmitted: initiallySubmitted,
  onRun,
  onForm,
  onCopy,
  onBack,
  onClose,
}: ArgumentPromptProps) {
  const translate = useTranslate();
  const t = useText('running');
  const zoneHint = useZoneHint();
  const [draft, setDraft] = useState<Draft>(() => startDraft(command, initialRun?.args ?? initialArgs, context));
  const paramName = promptedParam(draft);
  const param = paramName === undefined ? undefined : command.params[paramName];
  const [pendingEnter, setPendingEnter] = useState<PendingEnter>();
  const isWaiting = pendingEnter !== undefined && pendingEnter.param === paramName && pendingEnter.text === draft.text;
  const choices = useChoices(command, paramName, draft.text, draft.args, context, isWaiting);
  const [latestRun, setLatestRun] = useState<PreparedRun | undefined>(initialRun);
  const readyRowGroups =
    paramName === undefined ? readyGroups(draft, { context, translate, t, preparedRun: latestRun }) : [];
  const groups: readonly Group<PromptRow>[] = paramName === undefined ? readyRowGroups : choices.groups;
  const rows = useActiveRow(groups, paramName !== undefined && choices.isPending);

  const { active } = rows;
  const highlightedDraft =
    paramName !== undefined && active && 'value' in active && active.reason === undefined
      ? withValue(draft, paramName, active.value)
      : undefined;
  const pendingArgs =
    paramName === undefined ? draft.args : highlightedDraft?.isComplete ? highlightedDraft.args : undefined;
  const args = paramName === undefined || isPreviewed(draft, context) ? pendingArgs : undefined;
  const outline = useOutline(command, pendingArgs, context);
  const { planState, isSubmitted, submit } = usePlan({
    command,
    args,
    isAccepted: paramName === undefined,
    context,
    initialRun,
    outline,
    isSubmitted: initiallySubmitted,
    onRun,
    onPlan: setLatestRun,
  });
  /** True if Enter was pressed and is waiting for the plan. */
  const isAwaitingPlan = isSubmitted && planState.status !== 'failed';
  const willChoose = isWaiting && (choices.isPending || active !== undefined);
  const confirm = paramName === undefined ? latestRun?.plan?.confirm : undefined;
  useKeyHold(willChoose || isAwaitingPlan, paramName ?? (confirm === undefined ? undefined : 'confirm'));
  const lineArgs = pendingArgs ?? draft.args;

  // Prefills the field with the current value, unless the user has already typed.
  const prefill = useCallback((name: string, current: string) => {
    setDraft((now) => (promptedParam(now) === name && now.text === '' ? { ...now, text: current } : now));
  }, []);
  useCurrentValue(command, paramName, draft.args, context, prefill);

  useUnsaved(command, formOf(draft, paramName, undefined));

  const change = (next: Draft): void => {
    setDraft(next);
    setPendingEnter(undefined);
    rows.setActive(undefined);
  };

  const showsOutline = outline !== undefined && (planState.status === 'none' || planState.status === 'preparing');
  const hasNoEffect = changesNothing(
    planState.status === 'ready' ? planState.preparedRun.plan : showsOutline ? outline : undefined,
  );

  /** True if choosing a row also runs the command. */
  const runsCommand = (row: PromptRow | undefined): boolean => {
    if (hasNoEffect) return false;
    if (row === undefined || 'run' in row) return row !== undefined;
    if (paramName === undefined || !('value' in row) || row.keepsOpen) return false;
    // A prompt for several values stays active until it is done.
    const isDirect = draft.activeParam === undefined || (row.id === DONE && param?.required === true);
    const { args: nextArgs, isComplete } = withValue(draft, paramName, row.value);
    return isDirect && isComplete && !offersOptionalParams({ command, args: nextArgs });
  };

  /** Records that an item was used. Its row's id consists of the entity and the item's id. */
  const learnItem = (id: string): void => {
    const space = id.indexOf(' ');
    if (space > 0 && registry.entity(id.slice(0, space))) recordUse(context, id.slice(0, space), id.slice(space + 1));
  };

  /** Chooses a row. With `offerOptional`, offers the optional params before running. */
  const choose = (row: PromptRow, offerOptional = false): void => {
    if (row.reason !== undefined) return;
    if ('run' in row) return submit(draft.args);
    if ('param' in row && row.param !== undefined) return change(promptFor(draft, row.param));
    if (!('value' in row) || paramName === undefined) return;
    const next =
      row.id === DONE
        ? { ...draft, activeParam: undefined }
        : setArg(draft, paramName, row.value, row.label, row.keepsOpen ?? false);
    if (param?.kind === 'ref') learnItem(row.id);
    if (!offerOptional && runsCommand(row)) submit(next.args);
    change(next);
  };

  // An early Enter chooses the first row once the rows arrive.
  const rowToChoose = isWaiting && active && !choices.isPending ? active : undefined;
  useWhenSet(rowToChoose, (row) => {
    setPendingEnter(undefined);
    choose(row, pendingEnter?.offerOptional);
  });

  const openForm = (): void => onForm(formOf(draft, paramName, active));
  const goBack = (): void => {
    const previous = stepBack(draft);
    if (previous) change(previous);
    else onBack();
  };
  const copy = (): void => onCopy(printLine({ id: command.id, args: lineArgs }, registry));
  const enter = (offerOptional = false): void => {
    if (paramName !== undefined && !active && choices.isPending)
      setPendingEnter({ param: paramName, text: draft.text, offerOptional });
    else if (active) choose(active, offerOptional);
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

  // Enter runs only a plan that is visible. If it is not visible yet, Enter creates it.
  const isPlanReady = command.plan === undefined || planState.status === 'ready' || showsOutline;
  const enterAction = !runsCommand(rows.active) ? 'choose' : isPlanReady ? 'run' : 'plan';
  const canChoose = !isAwaitingPlan && (rows.active === undefined || rows.active.reason === undefined);
  const isUnplanned =
    command.plan !== undefined && planState.status === 'none' && !showsOutline && runsCommand(rows.active);
  const failure = planState.status === 'failed' ? planState : undefined;
  const problem = choices.problem ?? failure?.message;
  const title = translate(titleFor(command, draft.args, context));
  const example = param?.kind === 'text' ? param.placeholder : undefined;
  const hint = example === undefined ? t('palette.type') : t('palette.typeLike', { example });
  const label = paramName === undefined ? title : translate(commandLabels.param(command, paramName));
  return (
    <>
      <PaletteField
        {...rows}
        label={`${title}: ${label}`}
        listLabel={label}
        placeholder={
          confirm === undefined ? (paramName === undefined ? '' : label) : t('palette.confirm', { text: confirm })
        }
        chips={<Chips draft={draft} invalidParam={failure?.param} registry={registry} context={context} />}
        text={draft.text}
        onText={(next) => change({ ...draft, text: next })}
        groups={groups}
        onPick={choose}
        onKey={onKey}
        onPaste={(pasted) => {
          const list = param && takesList(param) ? pastedList(pasted) : undefined;
          if (list !== undefined) change({ ...draft, text: draft.text + list });
          return list !== undefined;
        }}
        masked={param !== undefined && findPrompt(param.kind).masked}
        {...(problem ? { problem: translate(problem) } : {})}
        status={
          choices.isLoading
            ? t('palette.searching')
            : paramName === undefined || active
              ? ''
              : draft.text === ''
                ? hint
                : t('palette.nothing')
        }
      />
      <section
        aria-label={t('palette.plan')}
        aria-live="polite"
        className="border-t border-line bg-surface-0 px-4 py-2.5"
      >
        {planState.status === 'ready' && (
          <PlanView preparedRun={planState.preparedRun} organization={context.organization} />
        )}
        {showsOutline && <PlanView preparedRun={{ command, plan: outline }} organization={context.organization} />}
        {planState.status === 'preparing' && command.plan && (
          <Planning progress={planState.progress} hasOutline={showsOutline} />
        )}
        {paramName !== undefined && planState.status === 'none' && !showsOutline && !isUnplanned && (
          <p className="text-ink-3">{translate(commandLabels.about(command))}</p>
        )}
        {param && zoneHint(param) !== undefined && <p className="text-ink-3">{zoneHint(param)}</p>}
        {isUnplanned && <p className="text-ink-3">{t('palette.unplanned', { count: context.focus?.count ?? 0 })}</p>}
        <p className="mt-1 type-mono break-words text-ink-2">
          {printLine({ id: command.id, args: lineArgs }, registry)}
        </p>
      </section>
      <Footer
        hints={[
          ...(canChoose
            ? [{ keys: toKeyHint('Enter'), label: t(`palette.hint.${enterAction}`), run: () => enter() }]
            : []),
          ...(runsCommand(rows.active) && paramName !== undefined && hasOptionalParams(command)
            ? [{ keys: toKeyHint('Shift+Enter'), label: t('palette.hint.more'), run: () => enter(true) }]
            : []),
          { keys: toKeyHint('Tab'), label: t('palette.hint.form'), run: openForm },
          { keys: toKeyHint('Backspace'), label: t('palette.hint.back'), run: goBack },
          { keys: toKeyHint('$mod+c'), label: t('palette.hint.copy'), run: copy },
          { keys: toKeyHint('Escape'), label: t('palette.hint.close'), run: onClose },
        ]}
      />
    </>
  );
}
