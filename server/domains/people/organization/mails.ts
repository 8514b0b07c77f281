/**
 * Creates the email from support staff that invites someone to create an organization. The link does not include the
 * token, because people forward URLs and servers log them.
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
      `The token works once and expires on ${expiresAt.toISOString().slice(0, 10)}. Anyone who has it can use it, so keep it to yourself.`,
      '',
    ].join('\n'),
  };
}
