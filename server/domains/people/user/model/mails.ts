/**
 * The emails that UserService sends. They are plain text with each name on a single line, so nobody can use a name to
 * insert a paragraph into our email.
 */
import { type NewEmail, toSingleLine } from '#server/mail/queue.ts';

interface MailContext {
  /** The URL of the console, without a trailing slash. */
  readonly origin: string;
  /** The display name of the organization. */
  readonly organization: string;
}

const MAX_NAME_LENGTH = 100;
const safeName = (name: string): string => toSingleLine(name).slice(0, MAX_NAME_LENGTH);

const withSignature = (...lines: string[]): string => `${lines.join('\n\n')}\n\nQuarterdeck\n`;

/**
 * Creates an invitation email.
 *
 * @param inviter the inviter's name
 */
export const invitationMail = (to: string, inviter: string, { origin, organization }: MailContext): NewEmail => ({
  to,
  subject: `You are invited to ${organization}`,
  body: withSignature(
    `${safeName(inviter)} invites you to join ${safeName(organization)} on Quarterdeck.`,
    `Sign in or create an account with this address (${to}), and accept the invitation here:\n${origin}/organization/invites`,
    "The invitation expires in 30 days. If you didn't expect it, ignore this email.",
  ),
});

/**
 * Creates the email that asks an administrator to decide on a request. It contains the requester's verified address.
 */
export const accessRequestMail = (
  to: string,
  requester: { name: string; email: string },
  { origin, organization }: MailContext,
  slug: string,
): NewEmail => ({
  to,
  subject: `${requester.email} wants to join ${organization}`,
  body: withSignature(
    `${requester.name === '' ? requester.email : `${safeName(requester.name)} (${requester.email})`} has asked to join ${safeName(organization)}.`,
    `Approve or reject the request here:\n${origin}/settings/accounts/requests?organization=${encodeURIComponent(slug)}`,
  ),
});

export const approvedMail = (to: string, { origin, organization }: MailContext): NewEmail => ({
  to,
  subject: `You now have access to ${organization}`,
  body: withSignature(`Your request to join ${safeName(organization)} was approved.`, `Continue here:\n${origin}/`),
});

/**
 * Creates the email about a new account.
 *
 * @param hasPassword true if an administrator chose a password and gives it to the person separately
 */
export const accountCreatedMail = (
  to: string,
  inviter: string,
  hasPassword: boolean,
  { origin, organization }: MailContext,
): NewEmail => ({
  to,
  subject: `Your account for ${organization}`,
  body: withSignature(
    `${safeName(inviter)} created an account for you on Quarterdeck, as a member of ${safeName(organization)}.`,
    hasPassword
      ? `Sign in with this address (${to}) and the password that they gave you:\n${origin}/login`
      : `Choose a password for this address (${to}) first:\n${origin}/login/forgot-password`,
  ),
});
