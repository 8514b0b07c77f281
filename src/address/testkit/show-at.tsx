import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { Provider } from 'jotai';
import type { ReactNode } from 'react';

import { queryClient } from '#src/data/query-client.ts';
import { store } from '#src/state/store.ts';

import { parseSearch, stringifySearch, validateSearch } from '../address.ts';

/** Renders part of a screen at a URL. Returns the current URL. */
export function showAt(url: string, part: () => ReactNode): () => string {
  const root = createRootRoute({ validateSearch });
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: '$', component: part })]),
    history: createMemoryHistory({ initialEntries: [url] }),
    parseSearch,
    stringifySearch,
  });
  render(
    <Provider store={store}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Provider>,
  );
  return () => router.latestLocation.href;
}
