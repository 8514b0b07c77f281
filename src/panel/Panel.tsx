import { useAtom, useAtomValue } from 'jotai';
import { useEffect, type ComponentProps, type ReactNode } from 'react';

import type { Invocation } from '#commands/model/invocation.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { isLayerLoading, LOADING_FORM_ATTRIBUTE } from '#src/keymap/layer.ts';
import { registry } from '#src/registry/registry.ts';
import { loadAllCommands } from '#src/run/invoke.ts';
import { PartError } from '#src/run/PartError.tsx';
import { cancelLayer } from '#src/state/key-queue.ts';
import { formAtom } from '#src/state/layers.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { FormError } from './FormError.tsx';

const loadForm = () => import('#src/form/CommandForm.tsx');
const loadItem = () => import('./ItemPanel.tsx');

/** Preloads the panel's code, commands, and strings. Call it after the first screen is shown. */
export async function loadPanel(): Promise<void> {
  await Promise.all([loadForm(), loadItem(), loadAllCommands(), loadAllStrings()]);
}

const CommandForm = lazyPart<ComponentProps<Awaited<ReturnType<typeof loadForm>>['CommandForm']>>(
  async () => {
    const [{ CommandForm }] = await Promise.all([loadForm(), loadAllCommands(), loadAllStrings()]);
    return CommandForm;
  },
  { Pending: FormPlaceholder, Failed: FormError },
);
const ItemPanel = lazyPart<ComponentProps<Awaited<ReturnType<typeof loadItem>>['ItemPanel']>>(
  async () => {
    const [{ ItemPanel }] = await Promise.all([loadItem(), loadAllCommands(), loadAllStrings()]);
    return ItemPanel;
  },
  { Failed: PartError },
);

/**
 * Stands in for the form while its code loads. Keystrokes are queued for the form, and dropped if loading fails.
 */
function FormPlaceholder() {
  useEffect(
    () => () => {
      if (!isLayerLoading()) cancelLayer();
    },
    [],
  );
  return <div {...{ [LOADING_FORM_ATTRIBUTE]: true }} />;
}

/** A layer of the panel, written in the URL as `device/24F0 91C7`. */
export interface PanelItem {
  readonly entity: string;
  readonly id: string;
}

interface PanelProps {
  readonly top: PanelItem | undefined;
  readonly tab: string | undefined;
  /** True if the topmost item fills the screen, which leaves the panel to forms. */
  readonly isFull?: boolean;
}

/**
 * Returns a React key that includes the command and the target, so input for one item never ends up in another's form.
 */
function formKey({ id, args }: Invocation): string {
  return `${id} ${JSON.stringify(args)}`;
}

/** Returns the content of the side panel, if any: a form on top of the topmost item. */
export function usePanel({ top, tab, isFull = false }: PanelProps): ReactNode {
  const [form, setForm] = useAtom(formAtom);
  if (form) return <CommandForm key={formKey(form)} invocation={form} onClose={() => setForm(undefined)} />;
  return top && !isFull && registry().entity(top.entity) ? <Item top={top} tab={tab} isFull={false} /> : undefined;
}

interface ItemProps {
  readonly top: PanelItem;
  readonly tab: string | undefined;
  readonly isFull: boolean;
}

/** An item, next to the content of the screen or in place of it. */
export function Item({ top, tab, isFull }: ItemProps) {
  const session = useAtomValue(userSessionAtom);
  const entity = registry().entity(top.entity);
  if (!entity || !session) return null;
  return (
    <ItemPanel
      key={entity.name}
      organization={session.organization.id}
      entity={entity}
      id={top.id}
      tab={tab}
      isFull={isFull}
    />
  );
}

export function parsePanelItem(text: string): PanelItem | undefined {
  const slash = text.indexOf('/');
  return slash > 0 ? { entity: text.slice(0, slash), id: text.slice(slash + 1) } : undefined;
}

export function formatPanelItem({ entity, id }: PanelItem): string {
  return `${entity}/${id}`;
}
