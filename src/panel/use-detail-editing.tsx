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
  /** The id of the detail that the user is editing, if any. */
  readonly openDetail: string | undefined;
  /** Returns the label of a detail's edit button, or undefined if the user cannot edit the detail now. */
  readonly label: (detail: DetailField<unknown>) => string | undefined;
  readonly start: (detail: DetailField<unknown>) => void;
  readonly fields: (detail: DetailField<unknown>) => ReactNode;
}

/** The attribute that identifies a detail's edit button, which gets focus back when the editor closes. */
export const EDIT_BUTTON_ATTRIBUTE = 'data-edit-detail';

/**
 * Edits an item's details in place, one at a time, with each detail's own command.
 *
 * @param root the element that contains the details
 */
export function useDetailEditing(
  item: VisibleItem,
  title: (detail: string) => string,
  root: RefObject<HTMLElement | null>,
): DetailEditing {
  const { entity, id } = item;
  const t = useText();
  const context = useCommandContext();
  const [openEditor, setOpenEditor] = useState<{ readonly item: string; readonly detail: string }>();
  // Close the editor when another item is shown, so it doesn't reappear when the user returns.
  if (openEditor && openEditor.item !== id) setOpenEditor(undefined);
  const openDetail = openEditor?.item === id ? openEditor.detail : undefined;
  const previousDetail = useRef<string>(undefined);
  useEffect(() => {
    const detail = previousDetail.current;
    previousDetail.current = openDetail;
    // Focus falls back to the body if it was inside the editor.
    if (detail === undefined || openDetail !== undefined || document.activeElement !== document.body) return;
    root.current?.querySelector<HTMLElement>(`[${EDIT_BUTTON_ATTRIBUTE}="${detail}"]`)?.focus();
  }, [openDetail, root]);

  const commandOf = ({ edit }: DetailField<unknown>): Command | undefined => {
    const command = edit === undefined ? undefined : registry().command(edit);
    return command && context && availability(command, context).ok ? command : undefined;
  };
  return {
    openDetail,
    label: (detail) => (commandOf(detail) ? t('panel.editDetail', { title: title(detail.id) }) : undefined),
    start: (detail) => setOpenEditor({ item: id, detail: detail.id }),
    fields: (detail) => {
      const command = commandOf(detail);
      if (!command) return null;
      return (
        <DetailEditor
          key={`${entity} ${id} ${detail.id}`}
          command={command}
          item={item}
          paramNames={editedParams(command, detail)}
          title={t('panel.editDetail', { title: title(detail.id) })}
          onClose={() => setOpenEditor(undefined)}
        />
      );
    },
  };
}
