import { version } from '../../package.json';

/** The client's name, sent with every call (spec 1, 7). */
export const CLIENT_NAME = 'quarterdeck-console';
/** The client's version, sent with every call (spec 1, 7). The part after the `+` is our own release. */
export const CLIENT_VERSION = `0.261.0+${version}`;

/**
 * The API's URL. By default, this page's server provides the API. The build can name another implementation of the
 * contract. That server must allow this page with CORS, and this page's Content-Security-Policy must allow that server.
 */
export const API_URL: string = import.meta.env['VITE_API_URL'] ?? window.location.origin;

/** The Firebase project to use if the server does not name one. Only our own server names its project. */
export const FIREBASE = {
  apiKey: import.meta.env['VITE_FIREBASE_API_KEY'] as string | undefined,
  project: import.meta.env['VITE_FIREBASE_PROJECT'] as string | undefined,
  authDomain: import.meta.env['VITE_FIREBASE_AUTH_DOMAIN'] as string | undefined,
};

export const SENTRY_DSN: string | undefined = import.meta.env['VITE_SENTRY_DSN'];
