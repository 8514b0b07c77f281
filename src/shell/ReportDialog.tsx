import { useAtom } from 'jotai';
import { type KeyboardEvent, useId } from 'react';

import { texts } from '#commands/model/command.ts';
import { failedResults, skippedResults, succeededResults, type ItemResult } from '#commands/model/result.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { isKeyOf } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { invoke } from '#src/run/invoke.ts';
import { reportAtom } from '#src/state/work.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Dialog } from '#src/ui/overlays/Dialog.tsx';

/** Maximum number of failed items listed for each reason; the counts include the rest. */
const MAX_FAILED = 200;
/** Maximum number of other items listed; the counts include the rest. */
const MAX_OTHERS = 100;
const RETRY = 'app.retry-failures';

/** Items with the same result. */
interface ResultGroup {
  readonly title: string;
  readonly failed: boolean;
  readonly items: readonly ItemResult[];
}

/** The results of a batch: failed items by reason, the most frequent first, then those not tried, and those done. */
export function ReportDialog() {
  const say = useSay();
  const text = useText('running');
  const [done, setDone] = useAtom(reportAtom);
  const command = done && directory().command(done.invocation.id);
  if (!done || !command) return null;
  const failed = failedResults(done.outcome);
  const [skipped, succeeded] = [skippedResults(done.outcome), succeededResults(done.outcome)];
  const reasons = [...groupBy(failed, ({ failure }) => (failure ? say(failure.message) : ''))];
  const groups: readonly ResultGroup[] = [
    ...reasons
      .map(([title, items]) => ({ title, failed: true, items }))
      .toSorted((a, b) => b.items.length - a.items.length),
    { title: text('report.skipped'), failed: false, items: skipped },
    { title: text('report.done'), failed: false, items: succeeded },
  ].filter(({ items }) => items.length > 0);
  const counts = { failed: failed.length, skipped: skipped.length, done: succeeded.length };
  const summary = Object.entries(counts).filter(([, count]) => count > 0);
  return (
    <Dialog
      open
      width={640}
      title={say(done.summary ?? texts.title(command))}
      onCancel={() => setDone(undefined)}
      onKeyDown={retryOnKey}
      actions={
        <>
          <CommandButton command={RETRY} tone="primary" autoFocus />
          <Button onClick={() => setDone(undefined)}>{text('report.close')}</Button>
        </>
      }
    >
      <p className="pb-2 text-ink-2">
        {summary.map(([state, count]) => text(`report.count.${state}`, { count })).join(' · ')}
      </p>
      {groups.map((group) => (
        <Results key={`${group.failed} ${group.title}`} group={group} />
      ))}
    </Dialog>
  );
}

/** Retries when the retry command's key is pressed. */
function retryOnKey(event: KeyboardEvent): void {
  const command = directory().command(RETRY);
  if (!command || event.repeat || !isKeyOf(command, event.nativeEvent)) return;
  event.preventDefault();
  void invoke({ id: RETRY, args: {} });
}

/** A result with its item count, followed by the items. */
function Results({ group: { title, failed, items } }: { readonly group: ResultGroup }) {
  const text = useText('running');
  const id = useId();
  const limit = failed ? MAX_FAILED : MAX_OTHERS;
  return (
    <section aria-labelledby={id} className="border-t border-line py-2">
      <h3 id={id} className="flex items-baseline gap-3 pb-1 font-medium">
        <span className={cx('min-w-0 flex-1', failed ? 'text-error-text' : 'text-ink-2')}>{title}</span>
        <span className="text-ink-3 tabular-nums">{items.length.toLocaleString()}</span>
      </h3>
      <ul>
        {items.slice(0, limit).map(({ id: itemId, label }) => (
          <li key={itemId} className="flex gap-3 py-0.5">
            {itemId !== label && <span className="type-mono shrink-0 whitespace-nowrap text-ink-3">{itemId}</span>}
            <span className="min-w-0 truncate">{label}</span>
          </li>
        ))}
        {items.length > limit && (
          <li className="py-0.5 text-ink-3">{text('report.more', { count: items.length - limit })}</li>
        )}
      </ul>
    </section>
  );
}
