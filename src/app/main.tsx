// This import comes first, because it sets the order of the CSS layers that all other styles join.
import '#src/styles/index.css';
import { RouterProvider } from '@tanstack/react-router';
import { Provider } from 'jotai';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { findIdentity, sessionAtom, startSession } from '#src/auth/session.ts';
import { CLIENT_VERSION } from '#src/net/config.ts';
import { report, startReporting } from '#src/net/report.ts';
import { loadServerInfo } from '#src/net/server-info.ts';
import { followSettings } from '#src/state/appearance.ts';
import { bufferEarlyKeys } from '#src/state/early-keys.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { recordFailedImport } from '#src/state/not-loaded.ts';
import { store } from '#src/state/store.ts';

import { loadApp } from './enforce.ts';
import { router } from './router.tsx';

followSettings();

const root = document.querySelector('#root') as HTMLElement;
bufferEarlyKeys(root);

window.addEventListener('vite:preloadError', ({ payload }) => recordFailedImport(payload));

/**
 * Starts the console. This module must not await it, because the code loaded here imports from this module's chunk, and
 * would deadlock.
 */
async function start(): Promise<void> {
  await startSession();
  // After signing in or out, here or in another tab, the guard decides which screen to show.
  store.sub(sessionAtom, () => void router.invalidate());
  createRoot(root).render(
    <StrictMode>
      <Provider store={store}>
        <RouterProvider router={router} />
      </Provider>
    </StrictMode>,
  );
  await firstScreen;
  // Preload the modules that are needed after sign-in.
  void loadApp();
  findIdentity().catch(report);
  const { sentryDsn, version } = await loadServerInfo();
  await startReporting(sentryDsn, `quarterdeck@${version || CLIENT_VERSION}`);
}

void start();
