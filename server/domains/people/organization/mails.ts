/**
 * The mail to someone who may create an organization, by invitation of support staff. The link does not include the
 * token, because addresses are logged and passed on.
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
