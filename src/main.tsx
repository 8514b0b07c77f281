// First, since it decides the order of the layers that every other style joins.
import './styles/index.css';

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Provider } from 'jotai';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { sessionAtom, startSession } from './auth/session.ts';
import { CLIENT_VERSION } from './config.ts';
import { queryClient } from './data/query-client.ts';
import { startReporting } from './data/report.ts';
import { serverInfo } from './data/server-info.ts';
import { startHost } from './host/host.ts';
import { startKeys } from './keys/start.ts';
import { enterOrganization } from './routes/organization.ts';
import { router } from './routes/router.tsx';
import { store } from './state/store.ts';
import { followSettings } from './state/appearance.ts';

followSettings();
startHost();
startKeys();

/** A chunk that no longer exists (the server was updated) loads the whole page anew, once per address (spec 8). */
window.addEventListener('vite:preloadError', (event) => {
  const key = 'quarterdeck-reloaded';
  if (window.sessionStorage.getItem(key) === window.location.href) return;
  window.sessionStorage.setItem(key, window.location.href);
  event.preventDefault();
  window.location.reload();
});

await startSession();

/** Signing out, here or in another tab, leaves nothing behind and asks to sign in again. */
store.sub(sessionAtom, () => {
  if (store.get(sessionAtom).status === 'signed-out') {
    enterOrganization(undefined);
    queryClient.clear();
  }
  void router.invalidate();
});

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Provider>
  </StrictMode>,
);

requestIdleCallback(() => {
  void serverInfo().then(({ sentryDsn, version }) =>
    startReporting(sentryDsn, `quarterdeck@${version || CLIENT_VERSION}`),
  );
});
