import { useAtom, useAtomValue } from 'jotai';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';

import type { Invocation } from '#commands/model/invocation.ts';
import { registry } from '#commands/nouns/all.ts';

import { allTexts } from '#src/i18n/i18n.ts';
import { isLayerAway, OPENING } from '#src/keymap/layer.ts';
import { actingAtom } from '#src/state/acting.ts';
import { giveUpLayer } from '#src/state/arrival.ts';
import { formAtom } from '#src/state/layers.ts';

const loadForm = () => import('#src/form/CommandForm.tsx');
const loadItem = () => import('./ItemPanel.tsx');

/** Loads what the panel shows, which the first rows do without, before anybody opens it. */
export async function loadPanel(): Promise<void> {
  await Promise.all([loadForm(), loadItem(), allTexts()]);
}

const CommandForm = lazy(async () => {
  const [{ CommandForm }] = await Promise.all([loadForm(), allTexts()]);
  return { default: CommandForm };
});
const ItemPanel = lazy(async () => {
  const [{ ItemPanel }] = await Promise.all([loadItem(), allTexts()]);
  return { default: ItemPanel };
});

/** Stands for a form whose code is not here yet: what is typed is for it already, unless it never comes. */
function FormOnTheWay() {
  useEffect(
    () => () => {
      if (!isLayerAway()) giveUpLayer();
    },
    [],
  );
  return <div {...{ [OPENING]: true }} />;
}

/** A layer of the panel as the address holds it: `device/24F0 91C7`. */
export interface PanelItem {
  readonly entity: string;
  readonly id: string;
}

interface PanelProps {
  readonly top: PanelItem | undefined;
  readonly tab: string | undefined;
}

/** The same command for another target is another form: what was typed for one item never lands on another. */
function keyOf({ id, args }: Invocation): string {
  return `${id} ${JSON.stringify(args)}`;
}

/** What the side panel shows, or nothing: a command as a form over the topmost item. */
export function usePanel({ top, tab }: PanelProps): ReactNode {
  const acting = useAtomValue(actingAtom);
  const [form, setForm] = useAtom(formAtom);
  if (form) {
    return (
      <Suspense fallback={<FormOnTheWay />}>
        <CommandForm key={keyOf(form)} invocation={form} onClose={() => setForm(undefined)} />
      </Suspense>
    );
  }
  const entity = top && registry.entity(top.entity);
  if (!top || !entity || !acting) return undefined;
  return (
    <Suspense>
      <ItemPanel key={entity.name} organization={acting.organization.id} entity={entity} id={top.id} tab={tab} />
    </Suspense>
  );
}

export function parsePanelItem(text: string): PanelItem | undefined {
  const at = text.indexOf('/');
  return at > 0 ? { entity: text.slice(0, at), id: text.slice(at + 1) } : undefined;
}

export function printPanelItem({ entity, id }: PanelItem): string {
  return `${entity}/${id}`;
}
