import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';

import { TAG_ENTITY, type ItemRef, type TagLabel } from '#commands/model/column.ts';
import { directory } from '#src/registry/registry.ts';
import { panelHostAtom } from '#src/state/focus.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { Chip } from '#src/ui/Chip.tsx';
import { cx } from '#src/ui/cx.ts';
import { LINK_CLASS } from '#src/ui/link-class.ts';

/**
 * Returns a function that creates the click handler of a link to an item, which opens the item on top of the current
 * one. The handler is undefined if there is no panel, if the user cannot see items of that entity, or if the item
 * belongs to another organization.
 */
export function useOpenItem(): (item: ItemRef) => (() => void) | undefined {
  const panel = useAtomValue(panelHostAtom);
  const session = useAtomValue(userSessionAtom);
  return ({ entity: name, id, organization }) => {
    const entity = directory().entity(name);
    if (!panel || !entity || (entity.requires && !session?.actor.abilities.has(entity.requires))) return undefined;
    // In the current organization, the same id means another item.
    if (organization !== undefined && organization !== session?.organization.id) return undefined;
    return () => panel.openOver(name, id);
  };
}

interface ItemLinkProps {
  readonly item: ItemRef;
  readonly className?: string;
  readonly children: ReactNode;
}

/** An item's name as a link to the item, or as plain text if the user can't open the item. */
function ItemLink({ item, className, children }: ItemLinkProps) {
  const open = useOpenItem()(item);
  if (!open) return <span className={className}>{children}</span>;
  return (
    <button type="button" onClick={open} className={cx(LINK_CLASS, className)}>
      {children}
    </button>
  );
}

interface ItemLinksProps {
  readonly links: readonly (ItemRef & { readonly name: string })[];
  readonly className?: string;
}

/** The names of items as links. */
export function ItemLinks({ links, className = 'break-words' }: ItemLinksProps) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {links.map((link) => (
        <ItemLink key={link.id} item={link} className={className}>
          {link.name}
        </ItemLink>
      ))}
    </span>
  );
}

/** The tags of an item, as links. */
export function TagLinks({ tags }: { readonly tags: readonly TagLabel[] }) {
  const openItem = useOpenItem();
  return (
    <span className="flex flex-wrap gap-1">
      {tags.map(({ name, ...tag }) => {
        const key = `${tag.organization} ${tag.id}`;
        const open = openItem({ entity: TAG_ENTITY, ...tag });
        if (!open) return <Chip key={key}>{name}</Chip>;
        return (
          <button key={key} type="button" onClick={open} className="flex max-w-full min-w-0 rounded-chip">
            <Chip className="hover:border-line-strong hover:text-ink-1">{name}</Chip>
          </button>
        );
      })}
    </span>
  );
}
