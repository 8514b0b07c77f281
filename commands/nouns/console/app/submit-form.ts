import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';

/** Submits a form from any of its fields, where Enter may have its own meaning. */
export const submitForm = command({
  id: 'app.submit-form',
  effect: 'navigate',
  needs: ['focusedForm'],
  keys: ['$mod+Enter'],
  unlisted: true,
  run: async (context) => {
    requireCapability(context, 'focusedForm').submit();
    return {};
  },
});
