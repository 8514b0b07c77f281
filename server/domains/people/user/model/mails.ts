/**
 * The mails of UserService. Plain text, with names on one line: nobody can put a paragraph into our mail by using it as
 * a name.
 */
import { type NewMail, oneLine } from '#server/mail/queue.ts';

interface MailContext {
  /** The address of the console, without a trailing slash. */
  readonly origin: string;
  /** The display name of the organization. */
  readonly organization: string;
}

const LONGEST_NAME = 100;
const safeName = (name: string): string => oneLine(name).slice(0, LONGEST_NAME);

const signed = (...lines: string[]): string => `${lines.join('\n\n')}\n\nQuarterdeck\n`;

/** @param inviter the name of the inviter */
export const invitationMail = (to: string, inviter: string, { origin, organization }: MailContext): NewMail => ({
  to,
  subject: `You are invited to ${organization}`,
  body: signed(
    `${safeName(inviter)} invites you to join ${safeName(organization)} at Quarterdeck.`,
    `Sign in or create an account with this address (${to}), and accept the invitation here:\n${origin}/organization/invites`,
    'The invitation is valid for 30 days. If you do not know what this is about, ignore this message.',
  ),
});

/** Sent to an administrator, who decides by the address; it is verified. */
export const accessRequestMail = (
  to: string,
  requester: { name: string; email: string },
  { origin, organization }: MailContext,
  slug: string,
): NewMail => ({
  to,
  subject: `${requester.email} asks to join ${organization}`,
  body: signed(
    `${requester.name === '' ? requester.email : `${safeName(requester.name)} (${requester.email})`} asks to join ${safeName(organization)}.`,
    `Approve or reject the request here:\n${origin}/settings/accounts/requests?organization=${encodeURIComponent(slug)}`,
  ),
});

export const approvedMail = (to: string, { origin, organization }: MailContext): NewMail => ({
  to,
  subject: `You can now use ${organization}`,
  body: signed(`Your request to join ${safeName(organization)} was approved.`, `Continue here:\n${origin}/`),
});

/** @param hasPassword true if an administrator chose one and tells the person separately */
export const accountCreatedMail = (
  to: string,
  inviter: string,
  hasPassword: boolean,
  { origin, organization }: MailContext,
): NewMail => ({
  to,
  subject: `Your account for ${organization}`,
  body: signed(
    `${safeName(inviter)} created an account for you at Quarterdeck, as a member of ${safeName(organization)}.`,
    hasPassword
      ? `Sign in with this address (${to}) and the password that they gave you:\n${origin}/login`
      : `Choose a password for this address (${to}) first:\n${origin}/login/forgot-password`,
  ),
});
