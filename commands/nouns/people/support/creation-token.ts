import { emailOptions } from '#commands/kit/email-address.ts';
import { command } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { toMs } from '#commands/model/wire.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import { formatMoment } from '#commands/text/moment.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

/** Emails a token for creating an organization (spec 2: support-issued token). */
export const issueCreationToken = command({
  id: 'support.issue-creation-token',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  affectsOnlyCaller: true,
  params: {
    email: required(p.text(emailOptions)),
  },
  positional: ['email'],
  plan: async (_context, { email }) => ({
    summary: message('support:plan.token', { email: email.trim() }),
    count: 1,
    changes: [],
    notes: [message('support:plan.tokenOnce')],
    reversible: false,
  }),
  run: async (context, { email }) => {
    const { expiresAt } = await context
      .api(SupportService)
      .issueCreationToken({ email: email.trim() }, { signal: context.signal });
    const expiry = toMs(expiresAt);
    const until = expiry === undefined ? '' : formatMoment(expiry, momentFormat(context.preferences));
    return { message: message('support:done.token', { email: email.trim(), until }) };
  },
});
