/**
 * Reduces a publisher's URL to its host for use in events, which go to the receivers of other publishers. The path and
 * the query can contain credentials, as with chat services. Users who can see publishers get the full URL from
 * WebhookService.
 */
export function maskedUrl(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname, search, hash } = new URL(url);
  return pathname === '/' && search === '' && hash === '' ? `${origin}/` : `${origin}/…`;
}
