/**
 * The address of a publisher as events tell it, which go to the receivers of other publishers: the host alone. Its path
 * may be the credential (chat services hand out addresses that are), and so may its query. Whoever may see publishers
 * reads the whole address from WebhookService.
 */
export function maskedUrl(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname, search, hash } = new URL(url);
  return pathname === '/' && search === '' && hash === '' ? `${origin}/` : `${origin}/…`;
}
