import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';

import { sessionAtom } from '../auth/session.ts';
import { actingAtom } from '../state/acting.ts';
import { store } from '../state/store.ts';
import { ScreenError } from '../views/ScreenError.tsx';
import { parseSearch, stringifySearch, validateSearch, type Search } from './address.ts';
import { safeRedirect } from './redirect.ts';

/** The console behind sign-in, in a chunk of its own: the sign-in screens do without the registry and what reads it. */
export const loadApp = () => import('./app.tsx');

const root = createRootRoute({ validateSearch, component: Outlet });

/** Sign-in screens: for those who are signed out. */
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: ({ search }) => {
    if (store.get(sessionAtom).status === 'signed-in') {
      const { redirect: to, organization } = search;
      throw redirect({ href: safeRedirect(to, organization) });
    }
  },
}).lazy(() => import('../views/login/LoginLayout.tsx').then((module) => module.lazyLogin));

const loginPassword = createRoute({ getParentRoute: () => login, path: '/' }).lazy(() =>
  import('../views/login/PasswordLogin.tsx').then((module) => module.lazyPasswordLogin),
);

const loginToken = createRoute({ getParentRoute: () => login, path: '/token' }).lazy(() =>
  import('../views/login/TokenLogin.tsx').then((module) => module.lazyTokenLogin),
);

/** Everything behind sign-in. The intended path is kept through `redirect`, and the organization it was for (spec 2). */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  errorComponent: ScreenError,
  search: { middlewares: [retainSearchParams<Search>(['organization'])] },
  beforeLoad: async ({ search, location }) => {
    if (store.get(sessionAtom).status !== 'signed-in') {
      throw redirect({
        to: '/login',
        search: {
          ...(location.pathname === '/' ? {} : { redirect: location.href }),
          ...(search.organization ? { organization: search.organization } : {}),
        },
      });
    }
    const known = store.get(actingAtom);
    const wanted = search.organization ?? known?.actor.home;
    if (known && known.organization.id === (wanted ?? '')) return;
    const { enter } = await loadApp();
    await enter(search.organization);
  },
}).lazy(async () => (await loadApp()).lazyApp);

const index = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: async () => {
    const { home } = await loadApp();
    throw redirect({
      to: home(),
      search: (previous: object) => previous,
      replace: true,
    });
  },
});

/** The screens that the registry declares. Unknown paths go to the root (spec 2). */
const screen = createRoute({
  getParentRoute: () => app,
  path: '$',
  errorComponent: ScreenError,
  beforeLoad: async ({ location }) => {
    const { isScreen } = await loadApp();
    if (!isScreen(location.pathname)) throw redirect({ to: '/', replace: true });
  },
}).lazy(async () => (await loadApp()).lazyScreen);

const tree = root.addChildren([login.addChildren([loginPassword, loginToken]), app.addChildren([index, screen])]);

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  scrollRestoration: false,
  defaultPendingMs: 300,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
