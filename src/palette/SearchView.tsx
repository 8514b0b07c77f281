import { useAtomValue } from 'jotai';
import { useEffect, useMemo, useState, type KeyboardEvent } from 'react';

import type { Context } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { texts as commandTexts } from '#commands/model/command.ts';
import { parseLine } from '#commands/line/line.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Prepared } from '#commands/run/run.ts';

import { useSay, useText } from '#src/i18n/i18n.ts';
import { useShownKeys } from '#src/keymap/bindings.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { About } from '#src/ui/About.tsx';
import { Chip } from '#src/ui/Chip.tsx';
import { foundHere, isTooLong, sourcesOf } from './rows/answer.ts';
import { commandSource, type CommandListing } from './rows/command-rows.ts';
import { NOTHING_TO_CHANGE } from './arguments/ready-rows.ts';
import { Footer } from '#src/search/Footer.tsx';
import { learn } from '#src/search/habits.ts';
import { LinePlan } from './plan/LinePlan.tsx';
import { readLine } from './rows/line-row.ts';
import { PaletteField } from '#src/search/PaletteField.tsx';
import { commandText, readPasted } from './rows/pasted.ts';
import { scopeOf } from './rows/prefixes.ts';
import { rank } from './rows/rank.ts';
import { joinBelow, type Group } from '#src/search/rows.ts';
import { fromCommands, helpGroup, type SearchRow } from './rows/search-rows.ts';
import { useActiveRow } from '#src/search/use-active-row.ts';
import { useAnswer } from './use-answer.ts';
import { useKeyHold } from './use-key-hold.ts';
import { useLinePlan } from './plan/use-line-plan.ts';

interface SearchViewProps {
  readonly registry: Registry;
  readonly context: Context;
  readonly initial: string;
  /** Begins with only what fits the selection. */
  readonly fitting: boolean;
  /** Runs it, or asks for what is missing. */
  readonly onInvocation: (invocation: Invocation) => void;
  /** Shows a whole line with its plan, and runs it once that is there if it needs no look. */
  readonly onLine: (invocation: Invocation) => void;
  /** Shows it filled in, whatever it lacks. */
  readonly onPrompt: (invocation: Invocation) => void;
  readonly onRun: (prepared: Prepared) => void;
  readonly onForm: (invocation: Invocation) => void;
  /** Several lines. */
  readonly onScript: (text: string) => void;
  readonly onClose: () => void;
}

/** What is done with the first row once the answer is there. */
interface Waiting {
  readonly typed: string;
  readonly key: 'Enter' | 'Tab';
}

/** Finds commands, values, views, items and help, and reads whole lines. */
export function SearchView(props: SearchViewProps) {
  const { registry, context, initial, fitting, onInvocation, onForm } = props;
  const say = useSay();
  const text = useText();
  const keys = useShownKeys();
  const { language } = useAtomValue(settingsAtom);
  const [typed, setTyped] = useState(initial);
  const [narrowed, setNarrowed] = useState(fitting);
  const [waiting, setWaiting] = useState<Waiting>();
  const [held, setHeld] = useState<readonly SearchRow[]>([]);
  const scope = useMemo(() => scopeOf(typed), [typed]);
  const { query } = scope;
  const tooLong = isTooLong(scope);

  const listing = useMemo(
    (): CommandListing => ({ registry, context, language, say, text, keys }),
    [registry, context, language, say, text, keys],
  );
  const commands = useMemo(() => commandSource(listing), [listing]);
  const line = useMemo(() => readLine(typed, listing), [typed, listing]);
  const here = useMemo(
    () => (line.sources.length > 0 || tooLong ? [] : foundHere(scope, narrowed, listing, commands)),
    [line, tooLong, scope, narrowed, listing, commands],
  );
  const sources = useMemo(
    () => (line.rows.length + line.sources.length > 0 || tooLong ? line.sources : sourcesOf(scope, narrowed, listing)),
    [line, tooLong, scope, narrowed, listing],
  );
  const isWaiting = waiting?.typed === typed;
  const answer = useAnswer(typed, sources, context, isWaiting);
  useKeyHold(isWaiting, typed);

  const linePlan = useLinePlan(line.invocation, registry, context);
  const { planned } = linePlan;
  const isVain = planned.status === 'ready' && changesNothing(planned.prepared.plan);
  const ranked = useMemo(() => {
    const lines = isVain ? line.rows.map((row) => ({ ...row, reason: say(NOTHING_TO_CHANGE) })) : line.rows;
    return joinBelow(held, [...lines, ...rank([...here, ...answer.found])]);
  }, [held, line, isVain, say, here, answer.found]);
  const groups: readonly Group<SearchRow>[] =
    query === '' && scope.commands
      ? commands.everything(narrowed).map(fromCommands)
      : [{ id: 'found', rows: ranked }, ...(scope.help ? [helpGroup(text)] : [])];
  // A line that says what to do is what Enter means, whatever else its words may find.
  const rows = useActiveRow(groups, !answer.answered && line.rows.length === 0);

  const type = (next: string): void => {
    setTyped(next);
    setHeld([]);
    setWaiting(undefined);
    rows.setActive(undefined);
  };

  const take = ({ reason, prefix, invocation, item, isLine }: SearchRow): void => {
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
  const done = isWaiting && answer.answered ? waiting : undefined;
  useEffect(() => {
    if (!done) return undefined;
    let live = true;
    // Not inside the effect: running closes the palette, and closing it flushes.
    queueMicrotask(() => {
      if (!live) return;
      setWaiting(undefined);
      if (active) (done.key === 'Enter' ? take : openForm)(active);
    });
    return () => {
      live = false;
    };
    // What it does is decided by what was pressed and what is announced now.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [done, active]);

  const press = (key: Waiting['key']): void => {
    if (active) (key === 'Enter' ? take : openForm)(active);
    else if (!answer.answered) setWaiting({ typed, key });
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

  /** Rows that somebody moves among stay where they are. */
  const hold = (): void => {
    if (!answer.answered) setHeld(ranked);
  };

  const onPaste = (pasted: string): boolean => {
    if (typed !== '') return false;
    const read = readPasted(pasted, registry);
    const { invocation, words } = parseLine(commandText(read.text).text, registry);
    if (read.kind === 'lines') props.onScript(read.text);
    // A line that says everything fills the chips at once.
    else if (invocation && words.length > 1) props.onPrompt(invocation);
    else type(read.text);
    return true;
  };

  const status =
    answer.loading && (!active || isWaiting)
      ? text('palette.searching')
      : answer.problem
        ? say(answer.problem)
        : active
          ? ''
          : text(tooLong ? 'palette.tooLong' : 'palette.nothing');
  const runs = active?.isLine === true && planned.status === 'ready';
  const canTake = active === undefined || active.reason === undefined;
  const pointed = active?.invocation && !active.item ? registry.command(active.invocation.id) : undefined;
  return (
    <>
      <PaletteField
        {...rows}
        move={(by) => {
          hold();
          rows.move(by);
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
        onTake={take}
        onKey={onKey}
        onPaste={onPaste}
        status={status}
      />
      {active?.isLine ? (
        <LinePlan {...linePlan} organization={context.organization} />
      ) : (
        <About>{pointed ? say(commandTexts.about(pointed)) : ''}</About>
      )}
      <Footer
        hints={[
          ...(canTake
            ? [
                {
                  keys: formatKeys('Enter'),
                  label: text(runs ? 'palette.hint.run' : 'palette.hint.take'),
                  run: () => press('Enter'),
                },
              ]
            : []),
          { keys: formatKeys('Tab'), label: text('palette.hint.form'), run: () => press('Tab') },
          { keys: formatKeys('Escape'), label: text('palette.hint.close'), run: props.onClose },
          { keys: '?', label: text('palette.hint.help'), run: () => type('?') },
        ]}
      />
    </>
  );
}
