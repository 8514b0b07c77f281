import { useMemo, useState, type KeyboardEvent } from 'react';

import { parseLine } from '#commands/line/line.ts';
import { commandLabels } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { nounText, useLanguage, useTranslate, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { Footer } from '#src/search/Footer.tsx';
import { recordUse } from '#src/search/habits.ts';
import { PaletteField } from '#src/search/PaletteField.tsx';
import { appendLateRows, type Group } from '#src/search/rows.ts';
import { useActiveRow } from '#src/search/use-active-row.ts';
import { About } from '#src/ui/About.tsx';
import { Chip } from '#src/ui/Chip.tsx';
import { useWhenSet } from '#src/ui/use-when-set.ts';

import { NOTHING_TO_CHANGE } from './arguments/ready-rows.ts';
import { LinePlan } from './plan/LinePlan.tsx';
import { useLinePlan } from './plan/use-line-plan.ts';
import { commandSource, type CommandListing } from './rows/command-rows.ts';
import { readLine } from './rows/line-row.ts';
import { commandText, parsePastedText } from './rows/pasted-text.ts';
import { parseScope } from './rows/prefixes.ts';
import { rank } from './rows/rank.ts';
import { toSearchGroup, helpGroup, type SearchRow } from './rows/search-rows.ts';
import { immediateResults, isTooLong, asyncSources } from './rows/sources.ts';
import { useKeyHold } from './use-key-hold.ts';
import { useSearchResults } from './use-search-results.ts';

const HINT_KEYS = {
  choose: toKeyHint('Enter'),
  form: toKeyHint('Tab'),
  close: toKeyHint('Escape'),
  help: toKeyHint('?'),
} as const;

interface SearchViewProps {
  readonly registry: Registry;
  readonly context: Context;
  readonly initial: string;
  /** True to initially show only the commands that apply to the selection. */
  readonly onlyApplicable: boolean;
  /** Runs the command, or prompts for missing arguments. */
  readonly onInvocation: (invocation: Invocation) => void;
  /** Shows the plan for a complete line. Runs the line when its plan is ready, unless it needs confirmation. */
  readonly onLine: (invocation: Invocation) => void;
  /** Shows the command with its arguments, even if some are missing. */
  readonly onPrompt: (invocation: Invocation) => void;
  readonly onRun: (preparedRun: PreparedRun) => void;
  readonly onForm: (invocation: Invocation) => void;
  /** Receives multiline text. */
  readonly onScript: (text: string) => void;
  readonly onClose: () => void;
}

/** A key pressed before the results arrived, to apply to the first row. */
interface PendingKey {
  readonly input: string;
  readonly key: 'Enter' | 'Tab';
  /** True if the results took too long. The key then has no effect. */
  readonly isLate?: boolean;
}

/** Searches commands, values, views, items, and help. Also parses complete lines. */
export function SearchView(props: SearchViewProps) {
  const { registry, context, initial, onlyApplicable, onInvocation, onForm } = props;
  const translate = useTranslate();
  const t = useText('running');
  const consoleText = useText();
  const keys = useKeyHints();
  const language = useLanguage();
  const [input, setInput] = useState(initial);
  const [isNarrowed, setNarrowed] = useState(onlyApplicable);
  const [pendingKey, setPendingKey] = useState<PendingKey>();
  const [pinnedRows, setPinnedRows] = useState<readonly SearchRow[]>([]);
  const scope = useMemo(() => parseScope(input), [input]);
  const { query } = scope;
  const isQueryTooLong = isTooLong(scope);

  const listing = useMemo(
    (): CommandListing => ({ registry, context, language, translate, t, keys, words: nounText }),
    [registry, context, language, translate, t, keys],
  );
  const commands = useMemo(() => commandSource(listing), [listing]);
  const line = useMemo(() => readLine(input, listing), [input, listing]);
  const immediateRows = useMemo(
    () => (line.sources.length > 0 || isQueryTooLong ? [] : immediateResults(scope, isNarrowed, listing, commands)),
    [line, isQueryTooLong, scope, isNarrowed, listing, commands],
  );
  const sources = useMemo(
    () =>
      line.rows.length + line.sources.length > 0 || isQueryTooLong
        ? line.sources
        : asyncSources(scope, isNarrowed, listing),
    [line, isQueryTooLong, scope, isNarrowed, listing],
  );
  const currentKey = pendingKey?.input === input ? pendingKey : undefined;
  const isWaiting = currentKey !== undefined && !currentKey.isLate;
  const search = useSearchResults(input, sources, context, isWaiting);
  useKeyHold(isWaiting, input);

  const linePlan = useLinePlan(line.invocation, registry, context);
  const { planState } = linePlan;
  const hasNoEffect = planState.status === 'ready' && changesNothing(planState.preparedRun.plan);
  const rankedRows = useMemo(() => {
    const lines = hasNoEffect ? line.rows.map((row) => ({ ...row, reason: translate(NOTHING_TO_CHANGE) })) : line.rows;
    return appendLateRows(pinnedRows, [...lines, ...rank([...immediateRows, ...search.results], query)]);
  }, [pinnedRows, line, hasNoEffect, translate, immediateRows, search.results, query]);
  const groups: readonly Group<SearchRow>[] =
    query === '' && scope.commands
      ? commands.list(isNarrowed).map(toSearchGroup)
      : [{ id: 'found', rows: rankedRows }, ...(scope.help ? [helpGroup(t)] : [])];
  // A complete line is the active row, even if its words match other rows. If it cannot run, Enter keeps it.
  const lineRow = line.rows.find(({ isLine }) => isLine);
  const rows = useActiveRow(groups, !search.isComplete && line.rows.length === 0, lineRow?.id);

  const changeInput = (next: string): void => {
    setInput(next);
    setPinnedRows([]);
    setPendingKey(undefined);
    rows.setActive(undefined);
  };

  const choose = ({ reason, prefix, invocation, item, isLine }: SearchRow): void => {
    if (reason !== undefined) return;
    if (prefix !== undefined) changeInput(prefix);
    if (item) recordUse(context, item.entity, item.id);
    if (!invocation) return;
    if (!isLine) onInvocation(invocation);
    else if (planState.status === 'ready' && planState.preparedRun.plan?.confirm === undefined)
      props.onRun(planState.preparedRun);
    else props.onLine(invocation);
  };

  const openForm = ({ reason, invocation }: SearchRow): void => {
    const hasParams = Object.keys(registry.command(invocation?.id ?? '')?.params ?? {}).length > 0;
    if (reason === undefined && invocation && hasParams) onForm(invocation);
  };

  const { active } = rows;
  // The first row may not be the best one until all results have arrived.
  const readyKey = isWaiting && !search.isLoading ? currentKey : undefined;
  useWhenSet(readyKey, ({ key }) => {
    setPendingKey(undefined);
    if (active) (key === 'Enter' ? choose : openForm)(active);
  });
  const lateKey = isWaiting && search.isLoading && search.isComplete ? currentKey : undefined;
  useWhenSet(lateKey, (key) => setPendingKey({ ...key, isLate: true }));

  const press = (key: PendingKey['key']): void => {
    if (active) (key === 'Enter' ? choose : openForm)(active);
    else if (!search.isComplete) setPendingKey({ input, key });
  };

  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Tab' || event.key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) press(event.key);
      return true;
    }
    const shouldWiden = event.key === 'Backspace' && input === '' && isNarrowed;
    if (shouldWiden) setNarrowed(false);
    return shouldWiden;
  };

  /** Keeps the rows in place while the user moves through them. */
  const pinRows = (): void => {
    if (!search.isComplete) setPinnedRows(rankedRows);
  };

  const onPaste = (pastedText: string): boolean => {
    if (input !== '') return false;
    const parsed = parsePastedText(pastedText, registry);
    const { invocation, words } = parseLine(commandText(parsed.text).text, registry);
    if (parsed.kind === 'lines') props.onScript(parsed.text);
    // A line with arguments opens the argument prompt, which shows them as chips.
    else if (invocation && words.length > 1) props.onPrompt(invocation);
    else changeInput(parsed.text);
    return true;
  };

  const status =
    search.isLoading && (!active || isWaiting)
      ? t('palette.searching')
      : search.isLoading && currentKey?.isLate
        ? consoleText('keys.late')
        : search.problem
          ? translate(search.problem)
          : active
            ? ''
            : t(isQueryTooLong ? 'palette.tooLong' : 'palette.nothing');
  const isRunnableLine = active?.isLine === true && planState.status === 'ready';
  const canChoose = active === undefined || active.reason === undefined;
  const activeCommand = active?.invocation && !active.item ? registry.command(active.invocation.id) : undefined;
  return (
    <>
      <PaletteField
        {...rows}
        move={(steps) => {
          pinRows();
          rows.move(steps);
        }}
        setActive={(id) => {
          pinRows();
          rows.setActive(id);
        }}
        label={t('palette.search')}
        listLabel={t('palette.results')}
        placeholder={t('palette.placeholder')}
        chips={
          context.focus?.name && (
            <Chip tone={isNarrowed ? 'accent' : 'strong'} mono>{`→ ${translate(context.focus.name)}`}</Chip>
          )
        }
        text={input}
        onText={changeInput}
        groups={groups}
        onPick={choose}
        onKey={onKey}
        onPaste={onPaste}
        status={status}
      />
      {active?.isLine ? (
        <LinePlan {...linePlan} organization={context.organization} />
      ) : (
        <About>{activeCommand ? translate(commandLabels.about(activeCommand)) : ''}</About>
      )}
      <Footer
        hints={[
          ...(canChoose
            ? [
                {
                  keys: HINT_KEYS.choose,
                  label: t(isRunnableLine ? 'palette.hint.run' : 'palette.hint.choose'),
                  run: () => press('Enter'),
                },
              ]
            : []),
          { keys: HINT_KEYS.form, label: t('palette.hint.form'), run: () => press('Tab') },
          { keys: HINT_KEYS.close, label: t('palette.hint.close'), run: props.onClose },
          { keys: HINT_KEYS.help, label: t('palette.hint.help'), run: () => changeInput('?') },
        ]}
      />
    </>
  );
}
