import { useAtomValue } from 'jotai';
import { Fragment } from 'react';

import { listTabStrips, type Destination } from '#commands/registry/destinations.ts';
import { accessibleDestinations } from '#src/address/paths.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { cx } from '#src/ui/cx.ts';

/**
 * Class names that hide parts in narrow windows because three truncated names would help nobody. The rail, the tabs,
 * and the panel also show these parts.
 */
const HIDDEN_BELOW = {
  group: 'max-[1600px]:hidden',
  screen: 'max-[1000px]:hidden',
  item: 'max-[1280px]:hidden',
} as const;

/**
 * The current location in the organization: the group of screens, the screen, and the item. Each part
 * shrinks to nothing before the name to its left loses a pixel, because a truncated name such as `Northwind No…` could
 * stand for several organizations.
 */
export function Breadcrumb({ destination }: { readonly destination: Destination }) {
  const translate = useTranslate();
  const session = useAtomValue(userSessionAtom);
  const { panel, subject } = useAtomValue(visibleTargetsAtom);
  const { shows } = destination;
  // The item in the panel, or the item of the list that the screen is about.
  const isItemScreen = 'entity' in shows && shows.entity.name === subject?.entity;
  const item = panel?.name ?? (isItemScreen ? subject?.name : undefined);
  const group = listTabStrips(destination, accessibleDestinations(session)).at(-1)?.title;
  const title = translate(destination.title);
  const parts = [
    // A group with the same title as its screen would be redundant.
    ...(group && translate(group) !== title ? [{ id: 'group' as const, text: translate(group) }] : []),
    { id: 'screen' as const, text: title },
    ...(item ? [{ id: 'item' as const, text: translate(item) }] : []),
  ];
  return parts.map(({ id, text }) => {
    const hiddenClass = HIDDEN_BELOW[id];
    return (
      <Fragment key={id}>
        <span aria-hidden className={cx('text-ink-3', hiddenClass)}>
          /
        </span>
        {id === 'screen' ? (
          <h1 className="shrink-[10000] truncate max-[1000px]:sr-only">{text}</h1>
        ) : (
          <span className={cx('min-w-0 shrink-[100000000] truncate text-ink-2', hiddenClass)}>{text}</span>
        )}
      </Fragment>
    );
  });
}
