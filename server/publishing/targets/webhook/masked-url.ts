/**
 * Returns a publisher's URL for events, which go to the receivers of other publishers: only the host. The path may be a
 * credential (as with chat services), and so may the query. Users who may see publishers get the full URL from
 * WebhookService.
 */
export function maskedUrl(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname, search, hash } = new URL(url);
  return pathname === '/' && search === '' && hash === '' ? `${origin}/` : `${origin}/…`;
}
