import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

import type { DetailField } from '#commands/model/column.ts';
import type { Command } from '#commands/model/command.ts';
import { availability } from '#commands/run/availability.ts';
import { editedParams } from '#commands/run/detail-edit.ts';
import type { VisibleItem } from '#commands/run/focus.ts';
import { useText } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { useCommandContext } from '#src/run/use-context.ts';

import { DetailEditor } from './DetailEditor.tsx';

/** In-place editing of an item's details. */
export interface DetailEditing {
  /** The id of the detail being edited. */
  readonly open: string | undefined;
  /** The label of a detail's edit button; undefined if this person cannot edit it now. */
  readonly label: (detail: DetailField<unknown>) => string | undefined;
  readonly start: (detail: DetailField<unknown>) => void;
  readonly fields: (detail: DetailField<unknown>) => ReactNode;
}

/** Marks the edit button of a detail, for returning focus to it. */
export const EDIT_MARK = 'data-edit-detail';

/** Edits the details of one item in place, one at a time, with the commands that they name. `root` contains them. */
export function useDetailEditing(
  item: VisibleItem,
  title: (detail: string) => string,
  root: RefObject<HTMLElement | null>,
): DetailEditing {
  const { entity, id } = item;
  const text = useText();
  const context = useCommandContext();
  const [opened, setOpened] = useState<{ readonly item: string; readonly detail: string }>();
  // An editor does not carry over to another item, or reappear on returning to the first.
  if (opened && opened.item !== id) setOpened(undefined);
  const open = opened?.item === id ? opened.detail : undefined;
  const previousDetail = useRef<string>(undefined);
  useEffect(() => {
    const detail = previousDetail.current;
    previousDetail.current = open;
    // The form had focus when it closed.
    if (detail === undefined || open !== undefined || document.activeElement !== document.body) return;
    root.current?.querySelector<HTMLElement>(`[${EDIT_MARK}="${detail}"]`)?.focus();
  }, [open, root]);

  const commandOf = ({ edit }: DetailField<unknown>): Command | undefined => {
    const command = edit === undefined ? undefined : registry().command(edit);
    return command && context && availability(command, context).ok ? command : undefined;
  };
  return {
    open,
    label: (detail) => (commandOf(detail) ? text('panel.editDetail', { title: title(detail.id) }) : undefined),
    start: (detail) => setOpened({ item: id, detail: detail.id }),
    fields: (detail) => {
      const command = commandOf(detail);
      if (!command) return null;
      return (
        <DetailEditor
          key={`${entity} ${id} ${detail.id}`}
          command={command}
          item={item}
          names={editedParams(command, detail)}
          title={text('panel.editDetail', { title: title(detail.id) })}
          onClose={() => setOpened(undefined)}
        />
      );
    },
  };
}
