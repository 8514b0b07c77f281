import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { entityTexts, type AnyEntity, type Screen } from '#commands/core/entity';
import { registry } from '#commands/all';

import { useSay, useText } from '../i18n.ts';
import { formatKeys } from '../keys/format.ts';
import { actingAtom } from '../state/acting.ts';
import { settingsAtom } from '../state/settings.ts';
import { cx } from '../ui/cx.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { ScreenIcon } from './ScreenIcon.tsx';
import { Logo } from './Logo.tsx';

const GROUPS: readonly Screen['group'][] = ['fleet', 'signals', 'data', 'developer', 'organization'];

type WithScreen = AnyEntity & { readonly screen: Screen };

/** Screens with the keys that lead there. What this person may not open is absent. */
export function Rail() {
  const text = useText();
  const collapsed = useAtomValue(settingsAtom).railCollapsed;
  const acting = useAtomValue(actingAtom);
  const mayOpen = (entity: AnyEntity): entity is WithScreen =>
    entity.screen !== undefined && (!entity.requires || Boolean(acting?.actor.abilities.has(entity.requires)));
  const screens = registry.entities.filter(mayOpen);
  return (
    <nav
      aria-label={text('shell.rail')}
      className={cx(
        'row-span-1 flex min-h-0 flex-col overflow-y-auto border-r border-line bg-surface-0 px-2 pb-3',
        collapsed ? 'w-rail-collapsed' : 'w-rail',
      )}
    >
      <div className="flex h-strip shrink-0 items-center gap-2.5 px-2 font-semibold">
        <Logo />
        {!collapsed && <span>Quarterdeck</span>}
      </div>
      {GROUPS.map((group) => {
        const members = acting?.organization.id ? screens.filter((entity) => entity.screen.group === group) : [];
        return members.length === 0 ? null : (
          <div key={group} className="mt-3">
            <h2 className={cx('px-2 pb-1 text-label text-ink-3', collapsed && 'sr-only')}>
              {text(`shell.group.${group}`)}
            </h2>
            <ul>
              {members.map((entity) => (
                <RailLink key={entity.name} entity={entity} collapsed={collapsed} />
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function RailLink({ entity, collapsed }: { readonly entity: WithScreen; readonly collapsed: boolean }) {
  const say = useSay();
  const { path, icon, key } = entity.screen;
  const title = say(entityTexts.title(entity));
  return (
    <li>
      <Link
        to="/$"
        params={{ _splat: path.slice(1) }}
        title={collapsed ? `${title} (${formatKeys(key)})` : undefined}
        className="flex h-[25px] items-center gap-2.5 rounded-rail px-2 text-ink-2 hover:bg-surface-2 hover:text-ink-1 data-[status=active]:bg-surface-3 data-[status=active]:font-medium data-[status=active]:text-ink-1"
      >
        <ScreenIcon name={icon} />
        <span className={cx('min-w-0 flex-1 truncate', collapsed && 'sr-only')}>{title}</span>
        {!collapsed && <Kbd keys={formatKeys(key)} />}
      </Link>
    </li>
  );
}
