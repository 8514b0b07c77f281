import { useAtomValue } from 'jotai';

import { printLine } from '#commands/line/line.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { findUndoable } from '#commands/run/history.ts';
import { loadCountAtom, registry } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { historyAtom } from '#src/state/work.ts';
import { tip } from '#src/ui/tip.ts';

/** Maximum length to show, because a line can name thousands of items. */
const MAX_CHARS = 160;
/** Maximum length of the tooltip. */
const MAX_TIP_CHARS = 1000;

export interface LastLineProps {
  readonly organization: string;
  readonly invocation: Invocation;
}

/** The last command as a line, with a button to undo it. Shows nothing until the command's noun has loaded. */
export function LastLine({ organization, invocation }: LastLineProps) {
  const history = useAtomValue(historyAtom);
  useAtomValue(loadCountAtom);
  if (!registry().command(invocation.id)) return null;
  const line = printLine(invocation, registry());
  return (
    <>
      <span className="min-w-0 truncate font-mono text-ink-3" {...tip(line.slice(0, MAX_TIP_CHARS), { side: 'top' })}>
        {line.slice(0, MAX_CHARS)}
      </span>
      {findUndoable(history, organization)?.run.invocation === invocation && (
        <CommandButton command="app.undo" tone="quiet" className="h-5 px-1 text-label" />
      )}
    </>
  );
}
