import { useAtomValue, useSetAtom } from 'jotai';
import { useLayoutEffect } from 'react';

import { registry } from '#commands/nouns/all.ts';
import { itemName, type Shown } from '#commands/run/focus.ts';
import type { Message } from '#commands/text/message.ts';

import type { PanelItem } from '#src/panel/Panel.tsx';
import { isGone, useItem } from '#src/panel/use-item.ts';
import { actingAtom } from '#src/state/acting.ts';
import { shownAtom } from '#src/state/focus.ts';

/** Tells what the panel shows: the target of commands while nothing is selected. */
export function useShownItem(top: PanelItem | undefined): void {
  const setShown = useSetAtom(shownAtom);
  const organization = useAtomValue(actingAtom)?.organization.id ?? '';
  const entity = top && registry.entity(top.entity);
  const found = useItem(organization, entity, top?.id);
  const { data } = found;
  const isMissing = isGone(found);
  useLayoutEffect(() => {
    // Where its address names nothing, there is nothing to act on.
    if (isMissing) setShown((shown) => withPanel(shown, undefined));
    if (!top || !entity || isMissing) return undefined;
    const name = data === undefined || data === null ? undefined : itemName(entity, data);
    setShown((shown) => withPanel(shown, top, name));
    return () => setShown((shown) => withPanel(shown, undefined));
  }, [top, entity, data, isMissing, setShown]);
}

/** The screen with this item in the panel. A row of the table has told its name already. */
export function withPanel(shown: Shown, item: PanelItem | undefined, name?: Message): Shown {
  if (!item) return { ...shown, panel: undefined };
  const { table, panel } = shown;
  const row = table?.row && { entity: table.entity, ...table.row };
  const known =
    name ?? [panel, row].find((shownItem) => shownItem?.entity === item.entity && shownItem.id === item.id)?.name;
  return { ...shown, panel: { ...item, ...(known ? { name: known } : {}) } };
}
