import { command } from '#commands/core/command.ts';
import { need } from '#commands/core/context.ts';
import { message } from '#commands/core/message.ts';
import { p, required } from '#commands/core/params.ts';

/** Whether `o` asks why. The reason can be given at any time by `support set-reason`. */
export const askReason = command({
  id: 'support.ask-reason',
  requires: 'CUSTOMER_SUPPORT',
  effect: 'navigate',
  needs: ['settings'],
  params: { ask: required(p.choice(['yes', 'no'], { label: (name) => message(`support:ask.${name}`) })) },
  positional: ['ask'],
  run: async (context, { ask }) => {
    need(context, 'settings').set({ askReason: ask === 'yes' });
    return { said: message(`support:said.ask.${ask}`) };
  },
});
