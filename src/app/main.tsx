// First, since it decides the order of the layers that every other style joins.
import '#src/styles/index.css';

import { RouterProvider } from '@tanstack/react-router';
import { Provider } from 'jotai';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { lookForIdentity, sessionAtom, startSession } from '#src/auth/session.ts';
import { CLIENT_VERSION } from '#src/net/config.ts';
import { report, startReporting } from '#src/net/report.ts';
import { serverInfo } from '#src/net/server-info.ts';
import { loadApp } from './enforce.ts';
import { hardLoad } from './hard-load.ts';
import { router } from './router.tsx';
import { followSettings } from '#src/state/appearance.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { store } from '#src/state/store.ts';

followSettings();

/**
 * A chunk that no longer exists, because the server was updated: the whole page is loaded, at the address that was
 * asked for.
 */
window.addEventListener('vite:preloadError', (event) => {
  if (hardLoad(router.latestLocation.href)) event.preventDefault();
});

/**
 * Not awaited by this module itself: what is loaded here imports from this module's chunk, which would then wait for
 * itself.
 */
async function start(): Promise<void> {
  await startSession();
  // Signing in or out, here or in another tab: the guard decides anew which screen this is.
  store.sub(sessionAtom, () => void router.invalidate());
  createRoot(document.querySelector('#root') as HTMLElement).render(
    <StrictMode>
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>
    </StrictMode>,
  );
  await firstScreen;
  // Whoever is signing in needs both next.
  void loadApp();
  lookForIdentity().catch(report);
  const { sentryDsn, version } = await serverInfo();
  await startReporting(sentryDsn, `quarterdeck@${version || CLIENT_VERSION}`);
}

void start();
