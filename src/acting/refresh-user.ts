/**
 * Asks the server anew who is signed in and what is still asked of them. For screens that have changed that (terms
 * accepted, password set, an organization joined), before they go on: the guard then knows.
 */
export async function refreshUser(): Promise<void> {
  const { renew } = await import('./follow-me.ts');
  await renew();
}
