/** The destination kept through sign-in. Only a path of this console is followed, never another origin. */
export function safeRedirect(to: string | undefined, organization: string | undefined): string {
  const fallback = organization ? `/?organization=${encodeURIComponent(organization)}` : '/';
  if (!to) return fallback;
  const url = URL.canParse(to, window.location.origin) ? new URL(to, window.location.origin) : undefined;
  if (!url || url.origin !== window.location.origin || url.pathname.startsWith('/login')) return fallback;
  return url.pathname + url.search;
}
