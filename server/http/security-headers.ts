import type { IdentityConfig } from '../config.ts';

/** Where the SDK signs people in when Google does. The embedded provider answers at our own origin. */
const googleSignIn = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com'];

/**
 * The headers of every answer to a browser.
 *
 * Scripts come from our origin and never from the page's text. Styles may be inline, because the primitives write
 * `<style>` elements (scroll lock of dialogs) and measured sizes at run time.
 */
export function securityHeaders(identity: IdentityConfig, sentryDsn: string): Readonly<Record<string, string>> {
  const connect = [
    ...(identity.kind === 'google' ? googleSignIn : []),
    ...(sentryDsn === '' ? [] : [new URL(sentryDsn).origin]),
  ];
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    // An organization's logo may be a URL anywhere (contract: Organization.Avatar).
    `img-src 'self' data: blob: https:`,
    `font-src 'self'`,
    `connect-src ${["'self'", ...connect].join(' ')}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    // Addresses of the console hold filters and identifiers, which are nobody else's business.
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
