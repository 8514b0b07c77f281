/**
 * What the service for users writes to people. Plain text, and names on one line: somebody who calls themselves a whole
 * paragraph must not get it into a mail of ours.
 */
import { type NewMail, oneLine } from '#server/mail/queue.ts';

interface Place {
  /** Where the console is, without a slash at the end. */
  readonly origin: string;
  /** The organization as people call it. */
  readonly organization: string;
}

const LONGEST_NAME = 100;
const called = (name: string): string => oneLine(name).slice(0, LONGEST_NAME);

const signed = (...lines: string[]): string => `${lines.join('\n\n')}\n\nQuarterdeck\n`;

/** @param by who invites */
export const invitationMail = (to: string, by: string, { origin, organization }: Place): NewMail => ({
  to,
  subject: `You are invited to ${organization}`,
  body: signed(
    `${called(by)} invites you to join ${called(organization)} at Quarterdeck.`,
    `Sign in or create an account with this address (${to}), and accept the invitation here:\n${origin}/organization/invites`,
    'The invitation is valid for 30 days. If you do not know what this is about, ignore this message.',
  ),
});

/** To an administrator, who decides by the address: it is verified. */
export const accessRequestMail = (
  to: string,
  who: { name: string; email: string },
  { origin, organization }: Place,
  slug: string,
): NewMail => ({
  to,
  subject: `${who.email} asks to join ${organization}`,
  body: signed(
    `${who.name === '' ? who.email : `${called(who.name)} (${who.email})`} asks to join ${called(organization)}.`,
    `Approve or reject the request here:\n${origin}/settings/accounts/requests?organization=${encodeURIComponent(slug)}`,
  ),
});

export const approvedMail = (to: string, { origin, organization }: Place): NewMail => ({
  to,
  subject: `You can now use ${organization}`,
  body: signed(`Your request to join ${called(organization)} was approved.`, `Go on here:\n${origin}/`),
});

/** @param hasPassword an administrator chose one, and told it to the person in a way of their own */
export const accountCreatedMail = (
  to: string,
  by: string,
  hasPassword: boolean,
  { origin, organization }: Place,
): NewMail => ({
  to,
  subject: `Your account for ${organization}`,
  body: signed(
    `${called(by)} made you an account at Quarterdeck, as a member of ${called(organization)}.`,
    hasPassword
      ? `Sign in with this address (${to}) and the password that you were given:\n${origin}/login`
      : `Choose a password for this address (${to}) first:\n${origin}/login/forgot-password`,
  ),
});
