import { useCallback, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

import type { TableHost } from '#commands/model/screen-hosts.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { isLayerLoading } from '#src/keymap/layer.ts';
import { loadCommands } from '#src/registry/registry.ts';
import { expectLayer, holdKeys } from '#src/state/key-queue.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';
import type { TableModel } from '#src/table/table-model.ts';

import type { CellEditor } from './CellEditor.tsx';
import type { EditedCell } from './edited-cell.ts';

interface OpenCell extends EditedCell {
  readonly filter: ParsedFilter;
  readonly Editor: typeof CellEditor;
}

interface CellEditing extends Pick<TableHost, 'editCell' | 'editedColumn'> {
  /** The editor, which positions itself over the cell. */
  readonly editor: ReactNode;
}

/** Edits cells of the active row in place. The editor loads on first use, and is mounted only while it is open. */
export function useCellEditing(model: TableModel<unknown>, filter: ParsedFilter, shownIds: string): CellEditing {
  const { entity } = filter;
  const [openCell, setOpenCell] = useState<OpenCell>();
  const lastColumn = useRef<string>(undefined);
  const editedColumn = useCallback(() => lastColumn.current, []);
  const editCell = useCallback(
    async (column: string) => {
      const edit = entity.columns.find(({ id }) => id === column)?.edit;
      const row = model.activeRow();
      if (edit === undefined || row === undefined) return;
      // Keystrokes meanwhile are meant for the editor.
      const keys = holdKeys();
      try {
        const [{ CellEditor: Editor }] = await Promise.all([
          importOrThrow(import('./CellEditor.tsx')),
          loadCommands([edit]),
          loadAllStrings(),
        ]);
        if (!keys.isHeld()) return;
        lastColumn.current = column;
        flushSync(() => setOpenCell({ id: model.rowId(row), column, filter, Editor }));
        if (isLayerLoading()) expectLayer();
        keys.release();
      } catch (error) {
        keys.drop();
        throw error;
      }
    },
    [entity, model, filter],
  );
  const onCell = useCallback((cell: EditedCell | undefined) => {
    if (cell) lastColumn.current = cell.column;
    setOpenCell((current) => cell && current && { ...current, ...cell });
  }, []);
  // Another filter lists other rows.
  const shownCell = openCell?.filter === filter ? openCell : undefined;
  const editor = shownCell && (
    <shownCell.Editor entity={entity} model={model} columns={shownIds.split(' ')} cell={shownCell} onCell={onCell} />
  );
  return { editCell, editedColumn, editor };
}
