import { paceText } from '#commands/run/pace.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import type { RunningCommand } from '#src/state/work.ts';
import { Progress } from '#src/ui/Progress.tsx';

export interface RunningWorkProps {
  readonly task: RunningCommand;
}

/** A running command with its progress and pace, and the commands that pause, continue, and cancel it. */
export function RunningWork({ task }: RunningWorkProps) {
  const translate = useTranslate();
  const t = useText();
  const workText = useText('running');
  const { progress, pace, isPaused, canPause } = task;
  const title = translate(task.title);
  return (
    <span className="flex min-w-0 items-center gap-2 whitespace-nowrap">
      <span className="truncate">{isPaused ? workText('work.paused', { title }) : title}</span>
      <span className="sr-only" role="status">
        {announcement()}
      </span>
      {progress && (
        <span aria-hidden className="tabular-nums">
          {t('shell.progress', { done: progress.done, total: progress.total })}
        </span>
      )}
      {pace && <span className="text-ink-3 tabular-nums">{translate(paceText(pace))}</span>}
      <span className="w-24 shrink-0">
        <Progress {...(progress ? { value: progress.done } : {})} max={progress?.total ?? 1} label={title} />
      </span>
      {canPause && (
        <CommandButton
          command={isPaused ? 'app.continue' : 'app.pause-work'}
          tone="quiet"
          className="h-5 px-1 text-label"
        />
      )}
      <CommandButton command="app.cancel-work" tone="quiet" className="h-5 px-1 text-label" />
    </span>
  );

  /** Screen readers announce the title, each quarter of a long run, and a pause, instead of every update. */
  function announcement(): string {
    if (isPaused) return workText('work.paused', { title });
    const quarter = pace && progress ? Math.floor((progress.done / progress.total) * 4) : 0;
    return quarter > 0 ? workText('work.part', { title, percent: quarter * 25 }) : title;
  }
}
