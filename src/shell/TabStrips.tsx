import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { listTabStrips, type Destination, type TabStrip } from '#commands/registry/destinations.ts';
import { accessibleDestinations } from '#src/address/paths.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import { useTabInView } from '#src/ui/use-tab-in-view.ts';

/** Links to the screens in the same group as this screen. A nested group has a second strip. */
export function TabStrips({ destination }: { readonly destination: Destination }) {
  const session = useAtomValue(userSessionAtom);
  const strips = listTabStrips(destination, accessibleDestinations(session)).filter(({ tabs }) => tabs.length > 1);
  return strips.map((strip, index) => <Strip key={strip.id} strip={strip} isInner={index > 0} />);
}

function Strip({ strip, isInner }: { readonly strip: TabStrip; readonly isInner: boolean }) {
  const translate = useTranslate();
  const keyHints = useKeyHints();
  const nav = useTabInView<HTMLElement>(strip.tabs.find(({ current }) => current)?.id);
  return (
    <nav
      ref={nav}
      // The tabs take focus, not the scrollable strip.
      tabIndex={-1}
      aria-label={translate(strip.title)}
      className={cx('tab-strip gap-1 bg-surface-0 px-2', isInner ? 'h-[30px] text-label' : 'h-tabs')}
    >
      {strip.tabs.map((tab) => {
        const keys = keyHints(directory().command(tab.command));
        return (
          <Link
            key={tab.id}
            to="/$"
            params={{ _splat: tab.path.slice(1) }}
            {...keys?.attributes}
            aria-current={tab.current ? 'page' : undefined}
            className={cx(
              'flex items-center gap-1.5 border-b-2 px-2.5 whitespace-nowrap',
              tab.current ? 'border-accent font-medium text-ink-1' : 'border-transparent text-ink-2 hover:text-ink-1',
            )}
          >
            {translate(tab.title)}
            {keys && <Kbd keys={keys.text} />}
          </Link>
        );
      })}
    </nav>
  );
}
