import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

/** Sets whether pressing `o` asks for a reason. `support set-reason` can add one at any time. */
export const askReason = command({
  id: 'support.ask-reason',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'navigate',
  needs: ['settings'],
  params: { ask: required(p.choice(['yes', 'no'], { label: (name) => message(`support:ask.${name}`) })) },
  positional: ['ask'],
  run: async (context, { ask }) => {
    requireCapability(context, 'settings').set({ askReason: ask === 'yes' });
    return { message: message(`support:done.ask.${ask}`) };
  },
});
