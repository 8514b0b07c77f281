import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { editableColumns } from '#commands/run/cell-edit.ts';
import { editedParams } from '#commands/run/detail-edit.ts';
import { itemName } from '#commands/run/focus.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { DetailEditor } from '#src/panel/DetailEditor.tsx';
import { registry } from '#src/registry/registry.ts';
import { useCommandContext } from '#src/run/use-context.ts';
import { useCellPosition } from '#src/table/cell-position.ts';
import type { TableModel } from '#src/table/table-model.ts';
import { Kbd } from '#src/ui/Kbd.tsx';

import type { EditedCell } from './edited-cell.ts';

interface CellEditorProps {
  readonly entity: AnyEntity;
  readonly model: TableModel<unknown>;
  /** The ids of the visible columns. */
  readonly columns: readonly string[];
  readonly cell: EditedCell;
  /** Moves to another cell, or closes the editor. */
  readonly onCell: (cell: EditedCell | undefined) => void;
}

const FIELDS = 'input, select, textarea';

/**
 * Edits a cell in place, with the same fields as the panel. Enter saves. Tab saves and moves to the next or, with
 * Shift, the previous cell of the row that can be edited. Closes when the user moves to another row.
 */
export function CellEditor({ entity, model, columns: shownIds, cell, onCell }: CellEditorProps) {
  const translate = useTranslate();
  const t = useText();
  const context = useCommandContext();
  const card = useRef<HTMLDivElement>(null);
  /** The cell to move to once the fields are saved. Undefined to close. */
  const next = useRef<EditedCell>(undefined);
  const hasInput = useRef(false);
  const { id, column: columnId } = cell;
  const [item] = useState(() => model.activeRow());
  useCellPosition(card, model, shownIds.indexOf(columnId));
  useReturnFocus();
  useEffect(
    () =>
      model.onMove(() => {
        const row = model.activeRow();
        if (row === undefined || model.rowId(row) !== id) onCell(undefined);
      }),
    [model, id, onCell],
  );

  const column = entity.columns.find((candidate) => candidate.id === columnId);
  const command = column?.edit === undefined ? undefined : registry().command(column.edit);
  if (!context || !column || !command) return null;
  const columns = editableColumns(entity, shownIds, (name) => registry().command(name), context).columns.map(
    (editable) => editable.id,
  );
  const neighbor = (offset: 1 | -1): EditedCell | undefined => {
    const columnBeside = columns[columns.indexOf(columnId) + offset];
    return columnBeside === undefined ? undefined : { id, column: columnBeside };
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const { target } = event;
    if (event.defaultPrevented || event.nativeEvent.isComposing || !(target instanceof Element)) return;
    const form = target.closest('form');
    if (event.key === 'Enter' && target instanceof HTMLSelectElement) {
      event.preventDefault();
      form?.requestSubmit();
    }
    if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey) return;
    const fields = [...(card.current?.querySelectorAll(FIELDS) ?? [])].filter((field) => !field.matches(':disabled'));
    const isLast = target === (event.shiftKey ? fields[0] : fields.at(-1));
    if (!isLast || !form) return;
    event.preventDefault();
    const nextCell = neighbor(event.shiftKey ? -1 : 1);
    // The field first picks what was typed into it.
    setTimeout(() => {
      if (!hasInput.current) return onCell(nextCell);
      next.current = nextCell;
      form.requestSubmit();
    });
  };
  const title = translate(entityLabels.column(entity, column));
  const name = item === undefined ? undefined : itemName(entity, item);
  return (
    <div
      ref={card}
      className="qd-editor"
      onKeyDownCapture={() => {
        next.current = undefined;
      }}
      onKeyDown={onKeyDown}
      // Typing replaces the value, as in a field that Tab moves to.
      onFocus={({ target }) => target instanceof HTMLInputElement && target.select()}
    >
      <DetailEditor
        key={columnId}
        command={command}
        item={{ entity: entity.name, id, ...(name ? { name } : {}) }}
        paramNames={editedParams(command, column)}
        title={t('screen.editCell', { title, item: name ? translate(name) : id })}
        // A change can sort the row to another place.
        namesItem
        onInput={(names) => {
          hasInput.current = names.length > 0;
        }}
        onClose={() => {
          hasInput.current = false;
          onCell(next.current);
        }}
      />
      {columns.length > 1 && (
        <p aria-hidden className="px-3 pb-2 text-label text-ink-3">
          <Kbd keys="Tab" /> {t('screen.nextCell')} · <Kbd keys="Shift+Tab" /> {t('screen.previousCell')}
        </p>
      )}
    </div>
  );
}

/** Returns the focus to where it was before the editor opened. */
function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const { activeElement, body } = document;
      if (activeElement === body && before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}
