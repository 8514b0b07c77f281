import { useRef } from 'react';

import type { LogEntry } from '#commands/model/log-entry.ts';
import { availability } from '#commands/run/availability.ts';
import { directory } from '#src/registry/registry.ts';
import { useCommandContext } from '#src/run/use-context.ts';

import type { DetailTabRowsProps } from '../DetailTabRows.tsx';
import { LoadMore } from '../LoadMore.tsx';
import { useExpandedRow, useListFocus } from '../use-list-focus.ts';
import { Entry } from './Entry.tsx';

/** A log of entries by people. Entries of the same group, such as the steps of a guide, follow under its heading. */
export function Log({ title, tab, item, rows, loadMore, isLoadingMore, problem }: DetailTabRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const keys = rows.map(tab.key);
  const [open, setOpen] = useExpandedRow(list, keys);
  const moveFocus = useListFocus(list, tab.id);
  const context = useCommandContext();
  const entries = rows.flatMap((row) => tab.entry?.(row, item) ?? []);
  const canEdit = ({ edit }: LogEntry): boolean => {
    const command = directory().command(edit.id);
    return command !== undefined && context !== undefined && availability(command, context).ok;
  };
  return (
    <ol ref={list} aria-label={title} onKeyDown={moveFocus} className="py-1.5">
      {entries.map((entry, index) => {
        const previous = entries[index - 1];
        const isNewGroup = entry.group !== previous?.group;
        const key = keys[index];
        return (
          <li key={key}>
            <Entry
              entry={entry}
              heading={isNewGroup ? entry.group : undefined}
              section={isNewGroup || entry.section !== previous?.section ? entry.section : undefined}
              organization={context?.organization.id ?? ''}
              isEditable={canEdit(entry)}
              isOpen={open === key}
              onOpenChange={(isOpening) => setOpen(isOpening ? key : undefined)}
            />
          </li>
        );
      })}
      {loadMore && (
        <li>
          <LoadMore load={loadMore} isLoading={isLoadingMore} problem={problem} />
        </li>
      )}
    </ol>
  );
}
