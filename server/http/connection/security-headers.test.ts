import { describe, expect, test } from 'vitest';

import { securityHeaders } from './security-headers.ts';

const embedded = { kind: 'embedded', project: 'demo-test', apiKey: 'any' } as const;
const google = { kind: 'google', project: 'acme-prod', apiKey: 'any' } as const;
const allMethods = new Set(['password', 'token', 'google'] as const);
const directivesOf = (...config: Parameters<typeof securityHeaders>) => {
  const headers = securityHeaders(...config);
  return { policy: headers['content-security-policy'] ?? '', opener: headers['cross-origin-opener-policy'] };
};

describe("a page's security headers", () => {
  test('allow only our own origin when this server signs users in', () => {
    const { policy, opener } = directivesOf({
      identity: embedded,
      signIn: allMethods,
      sentryDsn: '',
      helpDesk: undefined,
    });
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('frame-src');
    expect(policy).toContain("form-action 'self';");
    expect(policy).not.toMatch(/google/);
    expect(opener).toBe('same-origin');
  });

  test("allow Google's window for a Firebase project", () => {
    const externalServices = {
      sentryDsn: 'https://key@sentry.example/1',
      helpDesk: { url: 'https://acme.zendesk.com/access/jwt', secret: 'any' },
    };
    const { policy, opener } = directivesOf({ identity: google, signIn: allMethods, ...externalServices });
    expect(policy).toContain('https://apis.google.com');
    expect(policy).toMatch(/frame-src [^;]*https:\/\/acme-prod\.firebaseapp\.com/);
    expect(policy).toMatch(/connect-src 'self' [^;]*securetoken\.googleapis\.com https:\/\/sentry\.example/);
    expect(policy).toContain("form-action 'self' https://acme.zendesk.com;");
    expect(opener).toBe('same-origin-allow-popups');
  });

  test("do not allow Google's window when Google sign-in is disabled", () => {
    const { policy, opener } = directivesOf({
      identity: google,
      signIn: new Set(['password']),
      sentryDsn: '',
      helpDesk: undefined,
    });
    expect(policy).not.toMatch(/apis\.google|firebaseapp/);
    expect(policy).toContain('https://identitytoolkit.googleapis.com');
    expect(opener).toBe('same-origin');
  });
});
