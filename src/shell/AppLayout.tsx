import { Outlet } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { loadAllStrings, useText } from '#src/i18n/i18n.ts';
import { loadAllCommands } from '#src/run/invoke.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { FailedPartsBanner } from './FailedPartsBanner.tsx';
import { OverlaysError } from './OverlaysError.tsx';
import { Rail } from './Rail.tsx';
import { StatusLine } from './StatusLine.tsx';
import { ToastLane } from './ToastContainers.tsx';
import { TopStrip } from './TopStrip.tsx';
import { UnreachableBanner } from './UnreachableBanner.tsx';
import { useLiveEvents } from './use-live-events.ts';
import { usePageTitle } from './use-page-title.ts';

/** Keeps the place of a band while its code loads, so the screen doesn't move. */
const PendingBand = () => <div className="h-8 shrink-0 border-b border-line" />;

// Most people are in their own organization, with their own roles.
const OrganizationBand = lazyPart(async () => (await import('./OrganizationBand.tsx')).OrganizationBand, {
  Pending: PendingBand,
});
const RoleBand = lazyPart(async () => (await import('./RoleBand.tsx')).RoleBand, { Pending: PendingBand });

/** Loads after the first screen. If a key opens a layer before that, the layer appears once this has loaded. */
const Overlays = lazyPart<object>(
  async () => {
    await firstScreen;
    const [{ Overlays }] = await Promise.all([import('./Overlays.tsx'), loadAllCommands(), loadAllStrings()]);
    return Overlays;
  },
  { Failed: OverlaysError },
);

/** Loaded separately from the overlays, so it can report that a noun could not be loaded. */
const ToastList = lazyPart<object>(async () => {
  await firstScreen;
  return (await import('./ToastList.tsx')).ToastList;
});

/** The frame of every screen behind sign-in: rail, strip, screen, status line, and overlays. */
export function AppLayout() {
  const t = useText();
  const session = useAtomValue(userSessionAtom);
  useLiveEvents(session);
  usePageTitle(session);
  if (!session) return null;
  return (
    <div className="grid h-dvh grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] bg-surface-0 text-body text-ink-1">
      <Rail />
      <div className="flex min-h-0 flex-col">
        <TopStrip session={session} />
        <UnreachableBanner />
        <FailedPartsBanner />
        {session.organization.awayFromHome && session.organization.id && (
          <OrganizationBand organization={session.organization} />
        )}
        {session.actor.trialRoles && (
          <RoleBand organization={session.organization.id} roles={session.actor.trialRoles} />
        )}
        <main className="min-h-0 flex-1" aria-label={t('shell.main')}>
          <Outlet />
        </main>
        <ToastLane />
      </div>
      <StatusLine session={session} />
      <Overlays />
      <ToastList />
    </div>
  );
}
