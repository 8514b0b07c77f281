import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';

import { registry } from '#commands/all';
import type { AnyEntity } from '#commands/core/entity';

import { sessionAtom } from '../auth/session.ts';
import { loadActing } from '../data/acting.ts';
import { actingAtom } from '../state/acting.ts';
import { store } from '../state/store.ts';
import { AppLayout } from '../shell/AppLayout.tsx';
import { ScreenError } from '../views/ScreenError.tsx';
import { parseSearch, stringifySearch, validateSearch, type Search } from './address.ts';
import { EntityScreen } from './EntityScreen.tsx';
import { enterOrganization } from './organization.ts';
import { homePath, safeRedirect } from './paths.ts';

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
  component: AppLayout,
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
    enterOrganization(await loadActing(search.organization));
  },
});

const index = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => {
    throw redirect({
      to: homePath(store.get(actingAtom)?.preferences),
      search: (previous: object) => previous,
      replace: true,
    });
  },
});

const screens = registry.entities.flatMap((entity) =>
  entity.screen ? [screenRoute(entity as AnyEntity & { screen: NonNullable<AnyEntity['screen']> })] : [],
);

function screenRoute(entity: AnyEntity & { readonly screen: NonNullable<AnyEntity['screen']> }) {
  return createRoute({
    getParentRoute: () => app,
    path: entity.screen.path,
    component: () => <EntityScreen key={entity.name} entity={entity} />,
    errorComponent: ScreenError,
  });
}

/** Unknown paths go to the root (spec 2). */
const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true });
  },
});

const tree = root.addChildren([
  login.addChildren([loginPassword, loginToken]),
  app.addChildren([index, ...screens]),
  unknown,
]);

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
