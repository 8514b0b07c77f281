import { Outlet } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { CheatSheet } from '../keys/CheatSheet.tsx';
import { useText } from '../i18n.ts';
import { Palette } from '../palette/Palette.tsx';
import { actingAtom } from '../state/acting.ts';
import { toasts } from '../state/toasts.ts';
import { NoOrganization } from '../views/NoOrganization.tsx';
import { Toasts } from '../ui/Toasts.tsx';
import { Rail } from './Rail.tsx';
import { ReportDialog } from './ReportDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TopStrip } from './TopStrip.tsx';
import { useLiveEvents } from './use-live-events.ts';
import { usePageTitle } from './use-page-title.ts';

/** The frame of every screen behind sign-in: rail, strip, the screen, status line, and what lies over them. */
export function AppLayout() {
  const text = useText();
  const acting = useAtomValue(actingAtom);
  useLiveEvents(acting);
  usePageTitle(acting);
  if (!acting) return null;
  return (
    <div className="grid h-dvh grid-cols-[auto_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] bg-surface-0 text-body text-ink-1">
      <Rail />
      <div className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
        <TopStrip acting={acting} />
        <main className="min-h-0" aria-label={text('shell.main')}>
          {acting.organization.id ? <Outlet /> : <NoOrganization />}
        </main>
      </div>
      <StatusLine acting={acting} />
      <Palette />
      <CheatSheet />
      <ReportDialog />
      <RevealDialog />
      <Toasts store={toasts} label={text('toast.region')} closeLabel={text('toast.close')} />
    </div>
  );
}
