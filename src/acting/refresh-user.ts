/**
 * Reloads the signed-in person and their remaining steps. Screens that complete a step (terms accepted, password set,
 * an organization joined) call it before they continue: the guard uses this data.
 */
export async function refreshUser(): Promise<void> {
  const { renew } = await import('./follow-me.ts');
  await renew();
}
