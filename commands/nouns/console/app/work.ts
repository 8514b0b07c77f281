import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';

// These commands change nothing themselves. They run other commands, with the usual plan, confirmation, and history.

const undo = command({
  id: 'app.undo',
  effect: 'navigate',
  needs: ['history'],
  keys: ['u'],
  run: async (context) => {
    await requireCapability(context, 'history').undo();
    return {};
  },
});

/** Runs the last command again, on the current selection. */
const repeat = command({
  id: 'app.repeat',
  effect: 'navigate',
  needs: ['history'],
  keys: ['.'],
  onRows: true,
  run: async (context) => {
    await requireCapability(context, 'history').repeat();
    return {};
  },
});

const cancel = command({
  id: 'app.cancel-work',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+X'],
  run: async (context) => {
    requireCapability(context, 'work').cancel();
    return {};
  },
});

/** Runs the last command again, but only for the items that failed. */
const retry = command({
  id: 'app.retry-failures',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+R'],
  run: async (context) => {
    await requireCapability(context, 'work').retry();
    return {};
  },
});

/** Continues the last canceled command with the items that it did not reach. */
const continueRun = command({
  id: 'app.continue',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+C'],
  run: async (context) => {
    await requireCapability(context, 'work').continueRun();
    return {};
  },
});

/** Commands that undo, repeat, cancel, retry, or continue other commands. */
export const work: readonly Command[] = [undo, repeat, cancel, retry, continueRun];
