import { Link, useRouterState } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import type { Rail as RailEntry } from '#commands/model/screen.ts';
import { isEntryFor, railOf, railTitle, type Destination } from '#commands/registry/destinations.ts';
import { destinationAround, accessibleDestinations } from '#src/address/paths.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { railCollapsedAtom } from '#src/state/rail.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import { Logo } from '#src/ui/Logo.tsx';
import { tip } from '#src/ui/tip.ts';

import { ScreenIcon } from './ScreenIcon.tsx';

const GROUPS: readonly RailEntry['group'][] = ['fleet', 'signals', 'data', 'developer', 'organization'];

/** Links to screens, with their keys. Omits screens that the user can't open. */
export function Rail() {
  const t = useText();
  const isCollapsed = useAtomValue(railCollapsedAtom);
  const session = useAtomValue(userSessionAtom);
  const screens = session?.organization.id ? railOf(accessibleDestinations(session)) : [];
  const path = useRouterState({ select: (state) => state.location.pathname });
  const current = destinationAround(path);
  return (
    <nav
      aria-label={t('shell.rail')}
      className={cx(
        'row-span-1 flex min-h-0 flex-col overflow-y-auto border-r border-line bg-surface-0 px-2 pb-3',
        isCollapsed ? 'w-rail-collapsed' : 'w-rail',
      )}
    >
      <div className="flex h-strip shrink-0 items-center gap-2.5 px-2 font-semibold">
        <Logo />
        {!isCollapsed && <span>Quarterdeck</span>}
      </div>
      {GROUPS.map((group) => {
        const members = screens.filter(({ screen }) => screen.rail?.group === group);
        return members.length === 0 ? null : (
          <div key={group} className="mt-3">
            <h2 className={cx('px-2 pb-1 text-label text-ink-3', isCollapsed && 'sr-only')}>
              {t(`shell.group.${group}`)}
            </h2>
            <ul>
              {members.map((destination) => (
                <RailLink
                  key={destination.screen.path}
                  destination={destination}
                  current={current !== undefined && isEntryFor(destination, current)}
                  collapsed={isCollapsed}
                />
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

interface RailLinkProps {
  readonly destination: Destination;
  /** True if the current screen belongs to this entry. */
  readonly current: boolean;
  readonly collapsed: boolean;
}

function RailLink({ destination, current, collapsed }: RailLinkProps) {
  const translate = useTranslate();
  const { path, rail } = destination.screen;
  const title = translate(railTitle(destination));
  const keys = useKeyHints()(directory().command(destination.command));
  return (
    <li>
      <Link
        to="/$"
        params={{ _splat: path.slice(1) }}
        aria-current={current ? 'page' : undefined}
        {...keys?.attributes}
        {...(collapsed ? tip(title, { keys, side: 'right' }) : {})}
        className={cx(
          'flex h-[25px] items-center gap-1.5 rounded-rail px-2',
          current ? 'bg-surface-3 font-medium text-ink-1' : 'text-ink-2 hover:bg-surface-2 hover:text-ink-1',
        )}
      >
        {rail && <ScreenIcon name={rail.icon} />}
        <span className={cx('min-w-0 flex-1 truncate', collapsed && 'sr-only')}>{title}</span>
        {!collapsed && keys && <Kbd keys={keys.text} className="max-w-1/2 truncate" />}
      </Link>
    </li>
  );
}
