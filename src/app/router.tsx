import { createRootRoute, createRoute, createRouter, Outlet, type SearchMiddleware } from '@tanstack/react-router';

import { parseSearch, stringifySearch, validateSearch, type Search } from '#src/address/address.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { ScreenError } from '#src/screens/ScreenError.tsx';
import { firstScreen } from '#src/state/first-screen.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { enforce, loadApp } from './enforce.ts';
import { provideRouter } from './navigation.ts';

/** Loaded after the first screen, which does not need it. */
const TooltipLayer = lazyPart<object>(async () => {
  await firstScreen;
  return (await import('#src/ui/overlays/TooltipLayer.tsx')).TooltipLayer;
});

function Root() {
  return (
    <>
      <Outlet />
      <TooltipLayer />
    </>
  );
}

/** The guard checks every URL here, and only here. */
const root = createRootRoute({
  validateSearch,
  component: Root,
  errorComponent: ScreenError,
  // The screen that an emailed link opens moves the code from the URL to the history entry.
  beforeLoad: ({ search, location }) =>
    enforce(pathOf(location.href), { oobCode: location.state.emailCode, ...search }),
});

/** Returns the escaped path of a URL. The router's own pathname is unescaped. */
function pathOf(href: string): string {
  return new URL(href, window.location.origin).pathname.replace(/(?<=.)\/+$/, '');
}

const login = createRoute({ getParentRoute: () => root, path: '/login' }).lazy(() =>
  import('#src/sign-in/frame/LoginLayout.tsx').then((module) => module.lazyLogin),
);
const loginScreens = [
  createRoute({ getParentRoute: () => login, path: '/' }).lazy(() =>
    import('#src/sign-in/password/PasswordLogin.tsx').then((module) => module.lazyPasswordLogin),
  ),
  createRoute({ getParentRoute: () => login, path: '/token' }).lazy(() =>
    import('#src/sign-in/TokenLogin.tsx').then((module) => module.lazyTokenLogin),
  ),
  createRoute({ getParentRoute: () => login, path: '/create' }).lazy(() =>
    import('#src/sign-in/password/CreateUser.tsx').then((module) => module.lazyCreateUser),
  ),
  createRoute({ getParentRoute: () => login, path: '/forgot-password' }).lazy(() =>
    import('#src/sign-in/password/ForgotPassword.tsx').then((module) => module.lazyForgotPassword),
  ),
  createRoute({ getParentRoute: () => login, path: '/reset-password' }).lazy(() =>
    import('#src/sign-in/password/ResetPassword.tsx').then((module) => module.lazyResetPassword),
  ),
  createRoute({ getParentRoute: () => login, path: '/email-verification' }).lazy(() =>
    import('#src/sign-in/links/EmailVerification.tsx').then((module) => module.lazyEmailVerification),
  ),
  createRoute({ getParentRoute: () => login, path: '/mfa' }).lazy(() =>
    import('#src/sign-in/second-factor/SecondFactor.tsx').then((module) => module.lazySecondFactor),
  ),
  createRoute({ getParentRoute: () => login, path: '/mfa/enroll' }).lazy(() =>
    import('#src/sign-in/second-factor/EnrollSecondFactor.tsx').then((module) => module.lazyEnrollSecondFactor),
  ),
  createRoute({ getParentRoute: () => login, path: '/terms-and-conditions' }).lazy(() =>
    import('#src/sign-in/Terms.tsx').then((module) => module.lazyTerms),
  ),
  createRoute({ getParentRoute: () => login, path: '/support' }).lazy(() =>
    import('#src/sign-in/HelpDesk.tsx').then((module) => module.lazyHelpDesk),
  ),
] as const;

const organization = createRoute({ getParentRoute: () => root, path: '/organization' }).lazy(async () => {
  const [{ lazyOrganizationArea }, { loadAllCommands }] = await Promise.all([
    import('#src/onboarding/OrganizationArea.tsx'),
    import('#src/run/invoke.ts'),
    loadAllStrings(),
  ]);
  // Its forms and its palette run commands.
  await loadAllCommands();
  return lazyOrganizationArea;
});
const organizationScreens = [
  createRoute({ getParentRoute: () => organization, path: '/requests' }).lazy(() =>
    import('#src/onboarding/Requests.tsx').then((module) => module.lazyRequests),
  ),
  createRoute({ getParentRoute: () => organization, path: '/join' }).lazy(() =>
    import('#src/onboarding/Join.tsx').then((module) => module.lazyJoin),
  ),
  createRoute({ getParentRoute: () => organization, path: '/invites' }).lazy(() =>
    import('#src/onboarding/Invites.tsx').then((module) => module.lazyInvites),
  ),
  createRoute({ getParentRoute: () => organization, path: '/create' }).lazy(() =>
    import('#src/onboarding/CreateOrganization.tsx').then((module) => module.lazyCreateOrganization),
  ),
] as const;

const error = createRoute({ getParentRoute: () => root, path: '/error' }).lazy(() =>
  import('#src/sign-in/ErrorScreen.tsx').then((module) => module.lazyError),
);

/** Keeps the organization in the URL as long as this tab acts for it. */
const keepOrganization: SearchMiddleware<Search> = ({ search, next }) => {
  const { organization: id } = search;
  const result = next(search);
  if (id === undefined || 'organization' in result) return result;
  return store.get(userSessionAtom)?.organization.id === id ? { ...result, organization: id } : result;
};

/** Everything behind sign-in. The registry defines the screens. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  errorComponent: ScreenError,
  search: { middlewares: [keepOrganization] },
}).lazy(async () => (await loadApp()).lazyApp);
const screen = createRoute({ getParentRoute: () => app, path: '$', errorComponent: ScreenError }).lazy(
  async () => (await loadApp()).lazyScreen,
);

const tree = root.addChildren([
  login.addChildren(loginScreens),
  organization.addChildren(organizationScreens),
  error,
  app.addChildren([screen]),
]);

export const router = createRouter({
  routeTree: tree,
  parseSearch,
  stringifySearch,
  defaultPreload: false,
  scrollRestoration: false,
  defaultPendingMs: 300,
});

provideRouter(router);

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
