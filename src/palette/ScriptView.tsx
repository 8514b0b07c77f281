import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react';

import type { Context } from '#commands/model/context.ts';
import { failedResults } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { execute } from '#src/run/runner.ts';
import { Footer } from '#src/search/Footer.tsx';

import { replanLine, usePlannedLines, type PlannedLine } from './plan/use-planned-lines.ts';

interface ScriptViewProps {
  readonly registry: Registry;
  readonly context: Context;
  readonly initial: string;
  readonly onClose: () => void;
  /** Returns to the search. */
  readonly onBack: () => void;
}

/** The number of the running line, starting at 1, and the number of lines. */
interface ScriptProgress {
  readonly line: number;
  readonly count: number;
}

/**
 * Shows several pasted lines, each with its plan or its problem. Enter runs them in order up to the first problem, or
 * up to a line whose plan was changed by earlier lines; the rest stays for correction. Escape stops the run after the
 * current line. Closing the palette also stops it: nobody would see the remaining lines run.
 */
export function ScriptView({ registry, context, initial, onClose, onBack }: ScriptViewProps) {
  const text = useText('running');
  const [script, setScript] = useState(initial);
  const [progress, setProgress] = useState<ScriptProgress>();
  const [stopping, setStopping] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  /** True if earlier lines, which have run, changed the plan of the first line. */
  const [replanned, setReplanned] = useState(false);
  const lines = usePlannedLines(script, registry, context);
  const firstUnready = lines.findIndex(({ state }) => state.status !== 'ready');
  const runnable = firstUnready < 0 ? lines : lines.slice(0, firstUnready);

  const run = async (): Promise<void> => {
    if (progress || runnable.length === 0) return;
    const { signal } = (stop.current = new AbortController());
    setReplanned(false);
    let completed = 0;
    for (const { line, state } of runnable) {
      if (state.status !== 'ready') break;
      const prepared = completed === 0 ? state.prepared : await replanLine(line, state.prepared, registry, context);
      if (signal.aborted) break;
      setReplanned(prepared === undefined);
      setProgress({ line: completed + 1, count: runnable.length });
      const done = prepared && (await execute(prepared));
      if (!done) break;
      completed++;
      // Later lines may depend on the items that failed.
      if (failedResults(done.outcome).length > 0) break;
    }
    setProgress(undefined);
    setStopping(false);
    const rest = lines.slice(completed).map(({ line }) => line);
    // After it has closed, the palette may have been opened again for something else.
    if (rest.length === 0 && !signal.aborted) onClose();
    else setScript(rest.join('\n'));
  };

  const stopRun = (): void => {
    stop.current?.abort();
    setStopping(true);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && progress) {
      event.preventDefault();
      event.stopPropagation();
      return stopRun();
    }
    if (event.key === 'Backspace' && script === '') {
      event.preventDefault();
      onBack();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    if (!event.repeat) void run();
  };

  return (
    <>
      <textarea
        aria-label={text('palette.lines')}
        value={script}
        readOnly={progress !== undefined}
        rows={Math.min(8, script.split('\n').length + 1)}
        spellCheck={false}
        onChange={(event) => {
          setReplanned(false);
          setScript(event.target.value);
        }}
        onKeyDown={onKeyDown}
        className="block w-full resize-none border-b border-line bg-transparent px-4 py-3 type-mono text-ink-1 outline-none"
      />
      {progress && (
        <p role="status" className="px-4 pt-2.5 text-ink-2">
          {text(stopping ? 'palette.stopping' : 'palette.runningLine', { ...progress })}
        </p>
      )}
      {replanned && (
        <p role="status" className="px-4 pt-2.5 text-warning-text">
          {text('palette.replanned')}
        </p>
      )}
      <ol aria-label={text('palette.plan')} aria-live="polite" className="max-h-72 overflow-y-auto py-1.5">
        {lines.map((planned, index) => (
          <LineState key={`${index} ${planned.line}`} {...planned} number={index + 1} />
        ))}
      </ol>
      <Footer
        hints={
          progress
            ? [{ keys: toKeyHint('Escape'), label: text('palette.hint.stop'), run: stopRun }]
            : [
                ...(runnable.length === 0
                  ? []
                  : [
                      {
                        keys: toKeyHint('Enter'),
                        label: text('palette.hint.runLines', { count: runnable.length }),
                        run: () => void run(),
                      },
                    ]),
                { keys: toKeyHint('Shift+Enter'), label: text('palette.hint.newLine') },
                { keys: toKeyHint('Escape'), label: text('palette.hint.close'), run: onClose },
              ]
        }
      />
    </>
  );
}

/** Rerendered only if it changed, because a script may have thousands of lines. */
const LineState = memo(({ line, state, number }: PlannedLine & { readonly number: number }) => {
  const say = useSay();
  const text = useText('running');
  const plan = state.status === 'ready' ? state.prepared.plan : undefined;
  return (
    <li className="grid grid-cols-[2ch_minmax(0,1fr)] gap-x-3 px-4 py-1">
      <span className="text-right text-ink-3">{number}</span>
      <span className="truncate type-mono text-ink-2">{line}</span>
      <span />
      {state.status === 'failed' && (
        <span role="alert" className="text-error-text">
          {say(state.message)}
        </span>
      )}
      {state.status === 'preparing' && <span className="text-ink-3">{text('palette.planning')}</span>}
      {state.status === 'ready' && (
        <span className="text-ink-1">
          {plan ? say(plan.summary) : text('palette.noPlan')}
          {plan && !plan.reversible && (
            <strong className="ml-2 font-semibold text-error-text">{text('palette.irreversible')}</strong>
          )}
        </span>
      )}
    </li>
  );
});
