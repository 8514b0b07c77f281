import { useAtom } from 'jotai';
import { Fragment } from 'react';

import { texts } from '#commands/model/command.ts';
import { failedResults, skippedResults, succeededResults } from '#commands/model/result.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { reportAtom } from '#src/state/work.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Dialog } from '#src/ui/overlays/Dialog.tsx';

/** Maximum number of rows rendered, failed and others; the counts include the rest. */
const MAX_FAILED = 200;
const MAX_OTHERS = 100;

/** The results of a batch by item: failed (with reasons), not tried, and done. Failed items can be retried. */
export function ReportDialog() {
  const say = useSay();
  const text = useText();
  const [done, setDone] = useAtom(reportAtom);
  const command = done && directory().command(done.invocation.id);
  if (!done || !command) return null;
  const groups = [
    { state: 'failed', items: failedResults(done.outcome), limit: MAX_FAILED, message: undefined },
    { state: 'skipped', items: skippedResults(done.outcome), limit: MAX_OTHERS, message: text('report.skipped') },
    { state: 'done', items: succeededResults(done.outcome), limit: MAX_OTHERS, message: text('report.done') },
  ].filter(({ items }) => items.length > 0);
  return (
    <Dialog
      open
      width={640}
      title={say(done.summary ?? texts.title(command))}
      onCancel={() => setDone(undefined)}
      actions={
        <>
          <CommandButton command="app.retry-failures" tone="primary" autoFocus />
          <Button onClick={() => setDone(undefined)}>{text('report.close')}</Button>
        </>
      }
    >
      <p className="pb-2 text-ink-2">
        {groups.map(({ state, items }) => text(`report.count.${state}`, { count: items.length })).join(' · ')}
      </p>
      <table className="w-full text-left">
        <thead className="text-label text-ink-3">
          <tr>
            <th className="py-1 font-normal">{text('report.item')}</th>
            <th className="py-1 font-normal">{text('report.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ state, items, limit, message }) => (
            <Fragment key={state}>
              {items.slice(0, limit).map(({ id, label, failure }) => (
                <tr key={id} className="border-t border-line align-top">
                  <td className="py-1 pr-4">
                    {label} {id !== label && <span className="type-mono text-ink-3">{id}</span>}
                  </td>
                  <td className={cx('py-1', failure ? 'text-error-text' : 'text-ink-3')}>
                    {failure ? say(failure.message) : message}
                  </td>
                </tr>
              ))}
              {items.length > limit && (
                <tr className="border-t border-line text-ink-3">
                  <td className="py-1 pr-4">{text('report.more', { count: items.length - limit })}</td>
                  <td className="py-1">{message}</td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
