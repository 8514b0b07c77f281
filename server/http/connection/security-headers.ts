import type { ServerConfig } from '#server/base/config.ts';

/**
 * The origins that the SDK calls to sign users in with Google's provider. The embedded provider uses our own origin.
 */
const googleSignIn = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'];
/** Google requires a captcha before sending a text message. */
const recaptcha = ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'];
/** The origin of the project's frame. The SDK receives messages from the Google sign-in window through this frame. */
const GOOGLE_WINDOW = 'https://apis.google.com';

type SignInConfig = Pick<ServerConfig, 'identity' | 'signIn'>;

const opensGoogleWindow = ({ identity, signIn }: SignInConfig): boolean =>
  identity.kind === 'google' && signIn.has('google');

/** Returns the external sources that the SDK loads: none with the embedded provider. */
function signInSources(config: SignInConfig): Record<'script' | 'connect' | 'frame', readonly string[]> {
  const { identity } = config;
  if (identity.kind === 'embedded') return { script: [], connect: [], frame: [] };
  const usesWindow = opensGoogleWindow(config);
  return {
    script: [...recaptcha, ...(usesWindow ? [GOOGLE_WINDOW] : [])],
    connect: googleSignIn,
    frame: [...recaptcha, ...(usesWindow ? [`https://${identity.project}.firebaseapp.com`] : [])],
  };
}

/**
 * Returns the headers for every response to a browser.
 *
 * Scripts come only from our origin, and are never inline. Styles can be inline, because the UI library writes
 * `<style>` elements (for example, to lock scrolling behind dialogs) and measured sizes at run time.
 */
export function securityHeaders(
  config: Pick<ServerConfig, 'identity' | 'signIn' | 'sentryDsn' | 'helpDesk'>,
): Readonly<Record<string, string>> {
  const { script, connect, frame } = signInSources(config);
  const reportOrigins = config.sentryDsn === '' ? [] : [new URL(config.sentryDsn).origin];
  const policy = [
    `default-src 'none'`,
    ['script-src', "'self'", ...script].join(' '),
    `style-src 'self' 'unsafe-inline'`,
    // An organization's logo can have any URL (contract: Organization.Avatar).
    `img-src 'self' data: blob: https:`,
    `font-src 'self'`,
    ['connect-src', "'self'", ...connect, ...reportOrigins].join(' '),
    ...(frame.length === 0 ? [] : [['frame-src', ...frame].join(' ')]),
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    // The console posts a token to the help desk.
    ['form-action', "'self'", ...(config.helpDesk ? [new URL(config.helpDesk.url).origin] : [])].join(' '),
    `frame-ancestors 'none'`,
  ].join('; ');
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    // URLs of the console contain filters and identifiers, which must stay private.
    'referrer-policy': 'no-referrer',
    // Google's window must reach the page that opened it. All other windows are isolated, in both directions.
    'cross-origin-opener-policy': opensGoogleWindow(config) ? 'same-origin-allow-popups' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
