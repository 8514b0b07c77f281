import { useAtom } from 'jotai';

import { texts } from '#commands/core/command';
import { failed, succeeded } from '#commands/core/result';
import { registry } from '#commands/all';

import { CommandButton } from '../host/CommandButton.tsx';
import { useSay, useText } from '../i18n.ts';
import { reportAtom } from '../state/work.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** Rows that are drawn; the count says how many there are, and all of them can be selected or retried. */
const SHOWN = 200;

/** What failed of a batch and why; the failures can be tried again, or become the selection. */
export function ReportDialog() {
  const say = useSay();
  const text = useText();
  const [done, setDone] = useAtom(reportAtom);
  const command = done && registry.command(done.invocation.id);
  if (!done || !command) return null;
  const failures = failed(done.outcome);
  const skipped = (done.outcome.results ?? []).filter((result) => result.skipped).length;
  return (
    <Dialog
      open
      width={640}
      title={say(texts.title(command))}
      onCancel={() => setDone(undefined)}
      actions={
        <>
          <CommandButton command="app.retry-failures" tone="primary" autoFocus />
          <Button onClick={() => setDone(undefined)}>{text('report.close')}</Button>
        </>
      }
    >
      <p className="pb-2 text-ink-2">
        {text('report.summary', { done: succeeded(done.outcome).length, failed: failures.length, skipped })}
      </p>
      <table className="w-full text-left">
        <thead className="text-label text-ink-3">
          <tr>
            <th className="py-1 font-normal">{text('report.item')}</th>
            <th className="py-1 font-normal">{text('report.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {failures.slice(0, SHOWN).map((result) => (
            <tr key={result.id} className="border-t border-line align-top">
              <td className="py-1 pr-4">
                <span className="type-mono text-ink-3">{result.id}</span> {result.label}
              </td>
              <td className="py-1 text-error-text">{result.failure && say(result.failure.message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
