/** Query errors repeat their parameters after the statement, and a parameter may be a secret. */
export const withoutParameters = (text: string): string => text.replace(/\nparams: .*/s, '');

/** What may be logged of anything that was thrown: its message and that of its cause. */
export function loggable(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return withoutParameters(error.message) + cause;
}
