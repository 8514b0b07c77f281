import { useRouterState } from '@tanstack/react-router';
import type { CSSProperties } from 'react';

import { destinationAround } from '#src/address/paths.ts';
import { loadAllStrings, useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { firstScreen } from '#src/state/first-screen.ts';
import type { UserSession } from '#src/state/user-session.ts';
import { OrganizationAvatar, UserAvatar } from '#src/ui/Avatar.tsx';
import { cx } from '#src/ui/cx.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';
import { organizationHue } from '#src/ui/org-hue.ts';

import type { AccountMenuProps } from './AccountMenu.tsx';
import { Breadcrumb } from './Breadcrumb.tsx';
import { HealthCounts } from './HealthCounts.tsx';
import { useLogo } from './use-logo.ts';

/** Loads after the first screen. */
const AccountMenu = lazyPart<AccountMenuProps>(
  async () => {
    await firstScreen;
    const [{ AccountMenu }] = await Promise.all([import('./AccountMenu.tsx'), loadAllStrings()]);
    return AccountMenu;
  },
  { Pending: ({ session: { actor } }) => <UserAvatar name={actor.name} email={actor.email} /> },
);

/**
 * The top bar: organization, breadcrumb, palette, health counts, and account menu. Takes on the organization's color if
 * it is not the user's own organization.
 */
export function TopStrip({ session }: { readonly session: UserSession }) {
  const t = useText();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const screen = destinationAround(path);
  const { organization } = session;
  const logo = useLogo(organization.id);
  return (
    <header
      data-org-hue=""
      style={{ '--org-hue': organizationHue(organization.id) } as CSSProperties}
      className={cx(
        'relative grid h-strip shrink-0 items-center gap-4 border-b px-3',
        // The counts are never truncated. The search shrinks before the organization's name does.
        'grid-cols-[minmax(0,1fr)_clamp(150px,calc(100vw-840px),420px)_minmax(max-content,1fr)]',
        organization.awayFromHome ? 'border-org shadow-[inset_0_-1px_0_var(--org)]' : 'border-line',
      )}
    >
      <div className="flex min-w-0 items-center gap-2">
        {organization.id && (
          <CommandButton
            command="organization.act-as"
            tone="quiet"
            // Long custom keys would leave no room for the breadcrumb.
            className="min-w-0 px-1 font-semibold text-ink-1 [&>kbd]:max-w-8 [&>kbd]:truncate"
          >
            <OrganizationAvatar id={organization.id} name={organization.name} logo={logo} />
            {organization.awayFromHome && (
              <span className="shrink-0 text-label font-normal text-org">{t('shell.actingFor')}</span>
            )}
            <span className={cx('truncate', organization.awayFromHome && 'text-org')}>{organization.name}</span>
          </CommandButton>
        )}
        {screen && organization.id && <Breadcrumb destination={screen} />}
      </div>
      <CommandButton command="app.palette" className="w-full border-line font-normal text-ink-3">
        <span className="min-w-0 flex-1 truncate text-left">{t('shell.palette')}</span>
      </CommandButton>
      <div className="flex items-center justify-end gap-3">
        {organization.id && <HealthCounts organization={organization.id} />}
        <AccountMenu session={session} />
      </div>
    </header>
  );
}
