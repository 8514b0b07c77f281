import { useAtom } from 'jotai';
import { type KeyboardEvent, useId } from 'react';

import { commandLabels, targetParam } from '#commands/model/command.ts';
import {
  failedResults,
  RESULT_KINDS,
  resultKind,
  skippedResults,
  succeededResults,
  type ItemResult,
} from '#commands/model/result.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { formatCount, useText, useTranslate } from '#src/i18n/i18n.ts';
import { isKeyOf } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { invoke } from '#src/run/invoke.ts';
import { reportAtom } from '#src/state/work.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Dialog } from '#src/ui/overlays/Dialog.tsx';

/** Maximum number of failed items to list per reason. The counts include all items. */
const MAX_FAILED_ITEMS = 200;
/** Maximum number of other items to list. The counts include all items. */
const MAX_OTHER_ITEMS = 100;
const RETRY = 'app.retry-failures';
const CONTINUE = 'app.continue';

/** Items with the same result. */
interface ResultGroup {
  readonly title: string;
  readonly isFailure: boolean;
  readonly items: readonly ItemResult[];
}

/** The results of a batch: failed items by reason (most frequent first), then skipped items, then succeeded items. */
export function ReportDialog() {
  const translate = useTranslate();
  const t = useText('running');
  const [completedRun, setReport] = useAtom(reportAtom);
  const command = completedRun && directory().command(completedRun.invocation.id);
  if (!completedRun || !command) return null;
  const failures = failedResults(completedRun.outcome);
  const [skippedItems, successes] = [skippedResults(completedRun.outcome), succeededResults(completedRun.outcome)];
  const reasons = [...groupBy(failures, ({ failure }) => (failure ? translate(failure.message) : ''))];
  const groups: readonly ResultGroup[] = [
    ...reasons
      .map(([title, items]) => ({ title, isFailure: true, items }))
      .toSorted((a, b) => b.items.length - a.items.length),
    { title: t('report.skipped'), isFailure: false, items: skippedItems },
    { title: t('report.done'), isFailure: false, items: successes },
  ].filter(({ items }) => items.length > 0);
  const kinds = groupBy(completedRun.outcome.results ?? [], resultKind);
  const summary = RESULT_KINDS.flatMap((kind) => {
    const count = kinds.get(kind)?.length ?? 0;
    return count > 0 ? [{ kind, text: t(`report.count.${kind}`, { count }) }] : [];
  });
  const hasTarget = targetParam(command) !== undefined;
  // After too many failures, what failed comes first.
  const continuesFirst = skippedItems.length > 0 && (failures.length === 0 || completedRun.interrupted === true);
  return (
    <Dialog
      open
      width={640}
      title={translate(completedRun.summary ?? commandLabels.title(command))}
      onCancel={() => setReport(undefined)}
      onKeyDown={runOnKey}
      actions={
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex justify-end gap-2">
            {continuesFirst && <CommandButton command={CONTINUE} tone="primary" autoFocus />}
            {failures.length > 0 && (
              <CommandButton command={RETRY} {...(continuesFirst ? {} : { tone: 'primary', autoFocus: true })} />
            )}
            {skippedItems.length > 0 && !continuesFirst && <CommandButton command={CONTINUE} />}
            <CommandButton command="app.save-results">{t('report.save')}</CommandButton>
            <Button onClick={() => setReport(undefined)} autoFocus={failures.length + skippedItems.length === 0}>
              {t('report.close')}
            </Button>
          </div>
          {hasTarget && (
            <div className="flex flex-wrap items-center justify-end gap-2">
              {summary.map(({ kind, text }) => (
                <CommandButton key={kind} command="app.select-results" args={{ result: kind }}>
                  {t('report.select', { results: text })}
                </CommandButton>
              ))}
            </div>
          )}
        </div>
      }
    >
      <p className="pb-2 text-ink-2">{summary.map(({ text }) => text).join(' · ')}</p>
      {groups.map((group) => (
        <Results key={`${group.isFailure} ${group.title}`} group={group} />
      ))}
    </Dialog>
  );
}

/** Retries or continues when the key of that command is pressed. */
function runOnKey(event: KeyboardEvent): void {
  const id = [RETRY, CONTINUE].find((name) => {
    const command = directory().command(name);
    return command && isKeyOf(command, event.nativeEvent);
  });
  if (!id || event.repeat) return;
  event.preventDefault();
  void invoke({ id, args: {} });
}

/** A result with its item count, followed by the items. */
function Results({ group: { title, isFailure, items } }: { readonly group: ResultGroup }) {
  const t = useText('running');
  const id = useId();
  const limit = isFailure ? MAX_FAILED_ITEMS : MAX_OTHER_ITEMS;
  return (
    <section aria-labelledby={id} className="border-t border-line py-2">
      <h3 id={id} className="flex items-baseline gap-3 pb-1 font-medium">
        <span className={cx('min-w-0 flex-1', isFailure ? 'text-error-text' : 'text-ink-2')}>{title}</span>
        <span className="text-ink-3 tabular-nums">{formatCount(items.length)}</span>
      </h3>
      <ul>
        {items.slice(0, limit).map(({ id: itemId, label }) => (
          <li key={itemId} className="flex gap-3 py-0.5">
            {itemId !== label && <span className="type-mono shrink-0 whitespace-nowrap text-ink-3">{itemId}</span>}
            <span className="min-w-0 truncate">{label}</span>
          </li>
        ))}
        {items.length > limit && (
          <li className="py-0.5 text-ink-3">{t('report.more', { count: items.length - limit })}</li>
        )}
      </ul>
    </section>
  );
}
