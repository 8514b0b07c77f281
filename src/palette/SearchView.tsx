import { useMemo, useState, type KeyboardEvent } from 'react';

import { parseLine } from '#commands/line/line.ts';
import { texts as commandTexts } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { nounText, useLanguage, useSay, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { Footer } from '#src/search/Footer.tsx';
import { learn } from '#src/search/habits.ts';
import { PaletteField } from '#src/search/PaletteField.tsx';
import { joinBelow, type Group } from '#src/search/rows.ts';
import { useActiveRow } from '#src/search/use-active-row.ts';
import { About } from '#src/ui/About.tsx';
import { Chip } from '#src/ui/Chip.tsx';
import { useWhenSet } from '#src/ui/use-when-set.ts';

import { NOTHING_TO_CHANGE } from './arguments/ready-rows.ts';
import { LinePlan } from './plan/LinePlan.tsx';
import { useLinePlan } from './plan/use-line-plan.ts';
import { commandSource, type CommandListing } from './rows/command-rows.ts';
import { readLine } from './rows/line-row.ts';
import { commandText, readPasted } from './rows/pasted.ts';
import { scopeOf } from './rows/prefixes.ts';
import { rank } from './rows/rank.ts';
import { fromCommands, helpGroup, type SearchRow } from './rows/search-rows.ts';
import { immediateResults, isTooLong, asyncSources } from './rows/sources.ts';
import { useKeyHold } from './use-key-hold.ts';
import { useSearchResults } from './use-search-results.ts';

interface SearchViewProps {
  readonly registry: Registry;
  readonly context: Context;
  readonly initial: string;
  /** True to show only the commands that apply to the selection at first. */
  readonly onlyApplicable: boolean;
  /** Runs the command, or prompts for missing arguments. */
  readonly onInvocation: (invocation: Invocation) => void;
  /** Shows the plan of a complete line, and runs it once planned if it needs no confirmation. */
  readonly onLine: (invocation: Invocation) => void;
  /** Shows the command with its arguments, complete or not. */
  readonly onPrompt: (invocation: Invocation) => void;
  readonly onRun: (prepared: PreparedRun) => void;
  readonly onForm: (invocation: Invocation) => void;
  /** Receives multi-line text. */
  readonly onScript: (text: string) => void;
  readonly onClose: () => void;
}

/** A key pressed before the results arrived, to apply to the first row. */
interface PendingKey {
  readonly typed: string;
  readonly key: 'Enter' | 'Tab';
}

/** Searches commands, values, views, items and help, and parses complete lines. */
export function SearchView(props: SearchViewProps) {
  const { registry, context, initial, onlyApplicable, onInvocation, onForm } = props;
  const say = useSay();
  const text = useText('running');
  const keys = useKeyHints();
  const language = useLanguage();
  const [typed, setTyped] = useState(initial);
  const [narrowed, setNarrowed] = useState(onlyApplicable);
  const [pendingKey, setPendingKey] = useState<PendingKey>();
  const [heldRows, setHeldRows] = useState<readonly SearchRow[]>([]);
  const scope = useMemo(() => scopeOf(typed), [typed]);
  const { query } = scope;
  const tooLong = isTooLong(scope);

  const listing = useMemo(
    (): CommandListing => ({ registry, context, language, say, text, keys, words: nounText }),
    [registry, context, language, say, text, keys],
  );
  const commands = useMemo(() => commandSource(listing), [listing]);
  const line = useMemo(() => readLine(typed, listing), [typed, listing]);
  const immediate = useMemo(
    () => (line.sources.length > 0 || tooLong ? [] : immediateResults(scope, narrowed, listing, commands)),
    [line, tooLong, scope, narrowed, listing, commands],
  );
  const sources = useMemo(
    () =>
      line.rows.length + line.sources.length > 0 || tooLong ? line.sources : asyncSources(scope, narrowed, listing),
    [line, tooLong, scope, narrowed, listing],
  );
  const isWaiting = pendingKey?.typed === typed;
  const search = useSearchResults(typed, sources, context, isWaiting);
  useKeyHold(isWaiting, typed);

  const linePlan = useLinePlan(line.invocation, registry, context);
  const { planned } = linePlan;
  const hasNoEffect = planned.status === 'ready' && changesNothing(planned.prepared.plan);
  const ranked = useMemo(() => {
    const lines = hasNoEffect ? line.rows.map((row) => ({ ...row, reason: say(NOTHING_TO_CHANGE) })) : line.rows;
    return joinBelow(heldRows, [...lines, ...rank([...immediate, ...search.results], query)]);
  }, [heldRows, line, hasNoEffect, say, immediate, search.results, query]);
  const groups: readonly Group<SearchRow>[] =
    query === '' && scope.commands
      ? commands.everything(narrowed).map(fromCommands)
      : [{ id: 'found', rows: ranked }, ...(scope.help ? [helpGroup(text)] : [])];
  // Enter runs a complete line immediately, even if its words match other rows, and keeps a line that cannot run.
  const lineRow = line.rows.find(({ isLine }) => isLine);
  const rows = useActiveRow(groups, !search.complete && line.rows.length === 0, lineRow?.id);

  const type = (next: string): void => {
    setTyped(next);
    setHeldRows([]);
    setPendingKey(undefined);
    rows.setActive(undefined);
  };

  const choose = ({ reason, prefix, invocation, item, isLine }: SearchRow): void => {
    if (reason !== undefined) return;
    if (prefix !== undefined) type(prefix);
    if (item) learn(context, item.entity, item.id);
    if (!invocation) return;
    if (!isLine) onInvocation(invocation);
    else if (planned.status === 'ready' && planned.prepared.plan?.confirm === undefined) props.onRun(planned.prepared);
    else props.onLine(invocation);
  };

  const openForm = ({ reason, invocation }: SearchRow): void => {
    const hasParams = Object.keys(registry.command(invocation?.id ?? '')?.params ?? {}).length > 0;
    if (reason === undefined && invocation && hasParams) onForm(invocation);
  };

  const { active } = rows;
  const readyKey = isWaiting && search.complete ? pendingKey : undefined;
  useWhenSet(readyKey, ({ key }) => {
    setPendingKey(undefined);
    if (active) (key === 'Enter' ? choose : openForm)(active);
  });

  const press = (key: PendingKey['key']): void => {
    if (active) (key === 'Enter' ? choose : openForm)(active);
    else if (!search.complete) setPendingKey({ typed, key });
  };

  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Tab' || event.key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) press(event.key);
      return true;
    }
    const widens = event.key === 'Backspace' && typed === '' && narrowed;
    if (widens) setNarrowed(false);
    return widens;
  };

  /** Keeps the rows in place while the user moves through them. */
  const hold = (): void => {
    if (!search.complete) setHeldRows(ranked);
  };

  const onPaste = (pasted: string): boolean => {
    if (typed !== '') return false;
    const parsed = readPasted(pasted, registry);
    const { invocation, words } = parseLine(commandText(parsed.text).text, registry);
    if (parsed.kind === 'lines') props.onScript(parsed.text);
    // A complete line fills in the chips immediately.
    else if (invocation && words.length > 1) props.onPrompt(invocation);
    else type(parsed.text);
    return true;
  };

  const status =
    search.loading && (!active || isWaiting)
      ? text('palette.searching')
      : search.problem
        ? say(search.problem)
        : active
          ? ''
          : text(tooLong ? 'palette.tooLong' : 'palette.nothing');
  const isRunnableLine = active?.isLine === true && planned.status === 'ready';
  const canChoose = active === undefined || active.reason === undefined;
  const activeCommand = active?.invocation && !active.item ? registry.command(active.invocation.id) : undefined;
  return (
    <>
      <PaletteField
        {...rows}
        move={(steps) => {
          hold();
          rows.move(steps);
        }}
        setActive={(id) => {
          hold();
          rows.setActive(id);
        }}
        label={text('palette.search')}
        listLabel={text('palette.results')}
        placeholder={text('palette.placeholder')}
        chips={
          context.focus?.name && (
            <Chip tone={narrowed ? 'accent' : 'strong'} mono>{`→ ${say(context.focus.name)}`}</Chip>
          )
        }
        text={typed}
        onText={type}
        groups={groups}
        onPick={choose}
        onKey={onKey}
        onPaste={onPaste}
        status={status}
      />
      {active?.isLine ? (
        <LinePlan {...linePlan} organization={context.organization} />
      ) : (
        <About>{activeCommand ? say(commandTexts.about(activeCommand)) : ''}</About>
      )}
      <Footer
        hints={[
          ...(canChoose
            ? [
                {
                  keys: toKeyHint('Enter'),
                  label: text(isRunnableLine ? 'palette.hint.run' : 'palette.hint.choose'),
                  run: () => press('Enter'),
                },
              ]
            : []),
          { keys: toKeyHint('Tab'), label: text('palette.hint.form'), run: () => press('Tab') },
          { keys: toKeyHint('Escape'), label: text('palette.hint.close'), run: props.onClose },
          { keys: toKeyHint('?'), label: text('palette.hint.help'), run: () => type('?') },
        ]}
      />
    </>
  );
}
