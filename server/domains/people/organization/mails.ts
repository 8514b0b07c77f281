/**
 * Tells somebody whom support staff let make an organization. The token is not in the link: addresses are kept and
 * passed on.
 */
export function creationTokenMail(origin: string, secret: string, expiresAt: Date): { subject: string; body: string } {
  return {
    subject: 'Create your organization in Quarterdeck',
    body: [
      'You can now create an organization in Quarterdeck.',
      '',
      `1. Sign in, or create an account, at ${origin}/login`,
      `2. Open ${origin}/organization/create and enter this token:`,
      '',
      `   ${secret}`,
      '',
      `It works once, until ${expiresAt.toISOString().slice(0, 10)}. Whoever holds it can use it, so keep it to yourself.`,
      '',
    ].join('\n'),
  };
}
