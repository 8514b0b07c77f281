import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

import { availability } from '#commands/run/availability.ts';
import type { Command } from '#commands/model/command.ts';
import type { DetailField } from '#commands/model/column.ts';
import { editedParams } from '#commands/run/detail-edit.ts';
import { registry } from '#commands/nouns/all.ts';

import { useCommandContext } from '#src/run/use-context.ts';
import { useText } from '#src/i18n/i18n.ts';
import { DetailEditor } from './DetailEditor.tsx';

/** How details are edited where they stand. */
export interface DetailEditing {
  /** The id of the detail whose fields stand in its place. */
  readonly open: string | undefined;
  /** What the button of a detail says; undefined for one that this person cannot edit here and now. */
  readonly label: (detail: DetailField<unknown>) => string | undefined;
  readonly start: (detail: DetailField<unknown>) => void;
  readonly fields: (detail: DetailField<unknown>) => ReactNode;
}

/** Marks the button of a detail, for the focus to return to. */
export const EDIT_MARK = 'data-edit-detail';

/** Edits the details of one item in place, one at a time, by the commands that they name. `root` shows them. */
export function useDetailEditing(
  entity: string,
  id: string,
  title: (detail: string) => string,
  root: RefObject<HTMLElement | null>,
): DetailEditing {
  const text = useText();
  const context = useCommandContext();
  const [opened, setOpened] = useState<{ readonly item: string; readonly detail: string }>();
  // What was opened for one item is not for the next, nor when one comes back.
  if (opened && opened.item !== id) setOpened(undefined);
  const open = opened?.item === id ? opened.detail : undefined;
  const left = useRef<string>(undefined);
  useEffect(() => {
    const detail = left.current;
    left.current = open;
    // The form took the focus with it.
    if (detail === undefined || open !== undefined || document.activeElement !== document.body) return;
    root.current?.querySelector<HTMLElement>(`[${EDIT_MARK}="${detail}"]`)?.focus();
  }, [open, root]);

  const commandOf = ({ edit }: DetailField<unknown>): Command | undefined => {
    const of = edit === undefined ? undefined : registry.command(edit);
    return of && context && availability(of, context).ok ? of : undefined;
  };
  return {
    open,
    label: (detail) => (commandOf(detail) ? text('panel.editDetail', { title: title(detail.id) }) : undefined),
    start: (detail) => setOpened({ item: id, detail: detail.id }),
    fields: (detail) => {
      const of = commandOf(detail);
      if (!of) return null;
      return (
        <DetailEditor
          key={`${entity} ${id} ${detail.id}`}
          command={of}
          id={id}
          names={editedParams(of, detail)}
          title={text('panel.editDetail', { title: title(detail.id) })}
          onClose={() => setOpened(undefined)}
        />
      );
    },
  };
}
