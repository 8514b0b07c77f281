import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { message } from '#commands/text/message.ts';
import { SingleSignOnService } from '#proto/gen/hiber/sso_pb.ts';

/** Opens the screen that signs in to the help desk and redirects to it. */
const open = command({
  id: 'me.help-desk',
  effect: 'navigate',
  needs: ['navigate'],
  run: async (context) => {
    requireCapability(context, 'navigate')({ path: '/login/support' });
    return {};
  },
});

/** Gets the token that the screen uses to sign in. */
const token = command({
  id: 'me.help-desk-token',
  effect: 'read',
  unlisted: true,
  run: async (context) => {
    const { token: value } = await context.api(SingleSignOnService).zendesk({}, { signal: context.signal });
    return { reveal: { label: message('me:helpDeskToken'), value } };
  },
});

export const helpDeskCommands: readonly Command[] = [open, token];
