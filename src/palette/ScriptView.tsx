import { memo, useEffect, useRef, useState, type KeyboardEvent } from 'react';

import type { Context } from '#commands/model/context.ts';
import { failedResults } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { toKeyHint } from '#src/keymap/format.ts';
import { execute } from '#src/run/runner.ts';
import { Footer } from '#src/search/Footer.tsx';

import { replanLine, useScriptPlans, type ScriptLine } from './plan/use-script-plans.ts';

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
 * Shows several pasted lines, each with its plan or its problem. Enter runs them in order. The run stops at the first
 * problem, or if earlier lines have changed the plan for the next line. The remaining lines stay for correction. Escape
 * stops the run after the current line. So does closing the palette because nobody would see the remaining lines run.
 */
export function ScriptView({ registry, context, initial, onClose, onBack }: ScriptViewProps) {
  const t = useText('running');
  const [script, setScript] = useState(initial);
  const [progress, setProgress] = useState<ScriptProgress>();
  const [isStopping, setStopping] = useState(false);
  const abortController = useRef<AbortController>(undefined);
  useEffect(() => () => abortController.current?.abort(), []);
  /** True if the lines that have run changed the plan for the first remaining line. */
  const [isReplanned, setReplanned] = useState(false);
  const lines = useScriptPlans(script, registry, context);
  const firstUnready = lines.findIndex(({ state }) => state.status !== 'ready');
  const readyLines = firstUnready < 0 ? lines : lines.slice(0, firstUnready);

  const run = async (): Promise<void> => {
    if (progress || readyLines.length === 0) return;
    const { signal } = (abortController.current = new AbortController());
    setReplanned(false);
    let completedCount = 0;
    for (const { line, state } of readyLines) {
      if (state.status !== 'ready') break;
      const preparedRun =
        completedCount === 0 ? state.preparedRun : await replanLine(line, state.preparedRun, registry, context);
      if (signal.aborted) break;
      setReplanned(preparedRun === undefined);
      setProgress({ line: completedCount + 1, count: readyLines.length });
      const completedRun = preparedRun && (await execute(preparedRun));
      if (!completedRun) break;
      completedCount++;
      // Later lines may depend on the items that failed.
      if (failedResults(completedRun.outcome).length > 0) break;
    }
    setProgress(undefined);
    setStopping(false);
    const remainingLines = lines.slice(completedCount).map(({ line }) => line);
    // If the run was aborted, the palette may have been closed and opened again for something else.
    if (remainingLines.length === 0 && !signal.aborted) onClose();
    else setScript(remainingLines.join('\n'));
  };

  const stopRun = (): void => {
    abortController.current?.abort();
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
        aria-label={t('palette.lines')}
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
          {t(isStopping ? 'palette.stopping' : 'palette.runningLine', { ...progress })}
        </p>
      )}
      {isReplanned && (
        <p role="status" className="px-4 pt-2.5 text-warning-text">
          {t('palette.replanned')}
        </p>
      )}
      <ol aria-label={t('palette.plan')} aria-live="polite" className="max-h-72 overflow-y-auto py-1.5">
        {lines.map((scriptLine, index) => (
          <ScriptRow key={`${index} ${scriptLine.line}`} {...scriptLine} number={index + 1} />
        ))}
      </ol>
      <Footer
        hints={
          progress
            ? [{ keys: toKeyHint('Escape'), label: t('palette.hint.stop'), run: stopRun }]
            : [
                ...(readyLines.length === 0
                  ? []
                  : [
                      {
                        keys: toKeyHint('Enter'),
                        label: t('palette.hint.runLines', { count: readyLines.length }),
                        run: () => void run(),
                      },
                    ]),
                { keys: toKeyHint('Shift+Enter'), label: t('palette.hint.newLine') },
                { keys: toKeyHint('Escape'), label: t('palette.hint.close'), run: onClose },
              ]
        }
      />
    </>
  );
}

/** Memoized because a script can have thousands of lines. */
const ScriptRow = memo(({ line, state, number }: ScriptLine & { readonly number: number }) => {
  const translate = useTranslate();
  const t = useText('running');
  const plan = state.status === 'ready' ? state.preparedRun.plan : undefined;
  return (
    <li className="grid grid-cols-[2ch_minmax(0,1fr)] gap-x-3 px-4 py-1">
      <span className="text-right text-ink-3">{number}</span>
      <span className="truncate type-mono text-ink-2">{line}</span>
      <span />
      {state.status === 'failed' && (
        <span role="alert" className="text-error-text">
          {translate(state.message)}
        </span>
      )}
      {state.status === 'preparing' && <span className="text-ink-3">{t('palette.planning')}</span>}
      {state.status === 'ready' && (
        <span className="text-ink-1">
          {plan ? translate(plan.summary) : t('palette.noPlan')}
          {plan && !plan.reversible && (
            <strong className="ml-2 font-semibold text-error-text">{t('palette.irreversible')}</strong>
          )}
        </span>
      )}
    </li>
  );
});
