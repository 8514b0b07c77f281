import { useAtomValue, useSetAtom } from 'jotai';
import { useLayoutEffect } from 'react';

import { itemName, type VisibleTargets } from '#commands/run/focus.ts';
import type { Message } from '#commands/text/message.ts';
import type { PanelItem } from '#src/panel/Panel.tsx';
import { isNotFound, useItem } from '#src/panel/use-item.ts';
import { registry } from '#src/registry/registry.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

/** Publishes the item in the panel, which is the target of commands while nothing is selected. */
export function usePublishPanelItem(top: PanelItem | undefined): void {
  const setVisibleTargets = useSetAtom(visibleTargetsAtom);
  const organization = useAtomValue(userSessionAtom)?.organization.id ?? '';
  const entity = top && registry().entity(top.entity);
  const query = useItem(organization, entity, top?.id);
  const { data } = query;
  const isMissing = isNotFound(query);
  useLayoutEffect(() => {
    // Commands have nothing to act on if the item doesn't exist.
    if (isMissing) setVisibleTargets((targets) => withPanel(targets, undefined));
    if (!top || !entity || isMissing) return undefined;
    const name = data === undefined || data === null ? undefined : itemName(entity, data);
    setVisibleTargets((targets) => withPanel(targets, top, name));
    return () => setVisibleTargets((targets) => withPanel(targets, undefined));
  }, [top, entity, data, isMissing, setVisibleTargets]);
}

/**
 * Returns the visible targets with the given item in the panel. If the item is also a row in the table, its name is
 * already known.
 */
export function withPanel(shown: VisibleTargets, item: PanelItem | undefined, name?: Message): VisibleTargets {
  if (!item) return { ...shown, panel: undefined };
  const { table, panel } = shown;
  const row = table?.row && { entity: table.entity, ...table.row };
  const label =
    name ?? [panel, row].find((shownItem) => shownItem?.entity === item.entity && shownItem.id === item.id)?.name;
  return { ...shown, panel: { ...item, ...(label ? { name: label } : {}) } };
}
