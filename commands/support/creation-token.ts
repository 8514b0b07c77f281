import { SupportService } from '#proto/quarterdeck/support/v1/support_service_pb';

import { command } from '../core/command.ts';
import { emailProblem } from '../core/email-address.ts';
import { message } from '../core/message.ts';
import { formatMoment } from '../core/moment.ts';
import { p, required } from '../core/params.ts';
import { momentFormat } from '../core/preferences.ts';
import { msOf } from '../core/wire.ts';

/** Mails somebody a token with which they make an organization of their own (spec 2: support-issued token). */
export const issueCreationToken = command({
  id: 'support.issue-creation-token',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'write',
  own: true,
  params: {
    email: required(p.text({ check: emailProblem })),
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
    const at = msOf(expiresAt);
    const until = at === undefined ? '' : formatMoment(at, momentFormat(context.preferences));
    return { said: message('support:said.token', { email: email.trim(), until }) };
  },
});
