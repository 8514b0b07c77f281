import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import type { KeyHint } from '#src/ui/key-hint.ts';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly keys?: KeyHint | undefined;
  /** The reason why the item is disabled. */
  readonly reason?: string | undefined;
  readonly onChoose: () => void;
}

interface MenuProps {
  /** Accessible name of the button. */
  readonly label: string;
  /** Content of the button. */
  readonly button: ReactNode;
  /** Content above the items, such as the user's name. */
  readonly head?: ReactNode;
  /** Groups of items, with a line between them. */
  readonly groups: readonly (readonly MenuItem[])[];
}

/** A menu below its button. Arrow keys and first letters move between items; Escape closes it and returns focus. */
export function Menu({ label, button, head, groups }: MenuProps) {
  return (
    // A modal menu would lock scrolling with a style element, which the content security policy blocks.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label={label}
        className="rounded-full p-0.5 outline-offset-1 hover:bg-surface-2 data-[state=open]:bg-surface-2"
      >
        {button}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 w-72 rounded-overlay border border-line bg-surface-1 p-1.5 text-body text-ink-1 shadow-overlay"
        >
          {head && <div className="px-2.5 pt-1.5 pb-2">{head}</div>}
          {groups.map((items, index) => (
            <DropdownMenu.Group
              key={items.map(({ id }) => id).join()}
              className={cx((index > 0 || head !== undefined) && 'mt-1.5 border-t border-line pt-1.5')}
            >
              {items.map((item) => (
                <DropdownMenu.Item
                  key={item.id}
                  {...item.keys?.attributes}
                  disabled={item.reason !== undefined}
                  onSelect={item.onChoose}
                  className="flex h-8 cursor-default items-center gap-2.5 rounded-field px-2.5 outline-none data-disabled:text-ink-3 data-highlighted:bg-surface-3"
                >
                  <span className="shrink-0">{item.label}</span>
                  <span className="min-w-0 flex-1 truncate text-label text-ink-3">{item.reason}</span>
                  {item.keys && <Kbd keys={item.keys.text} />}
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
