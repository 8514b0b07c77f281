/**
 * Reloads the signed-in user and their remaining steps. Screens that complete a step (accepting the terms, setting a
 * password, joining an organization) call it before continuing, because the guard uses this data.
 */
export async function refreshUser(): Promise<void> {
  const { reloadUser: renew } = await import('./follow-me.ts');
  await renew();
}
