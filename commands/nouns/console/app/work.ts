import { command, type Command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';

// These commands change nothing themselves: they run commands with a plan, a confirmation and history as usual.

const undo = command({
  id: 'app.undo',
  effect: 'navigate',
  needs: ['history'],
  keys: ['u'],
  run: async (context) => {
    await need(context, 'history').undo();
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
    await need(context, 'history').repeat();
    return {};
  },
});

const cancel = command({
  id: 'app.cancel-work',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+X'],
  run: async (context) => {
    need(context, 'work').cancel();
    return {};
  },
});

/** Runs the last batch again, for the failed items only. */
const retry = command({
  id: 'app.retry-failures',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+R'],
  run: async (context) => {
    await need(context, 'work').retry();
    return {};
  },
});

/** Continues the last canceled batch with the items it did not try. */
const continueRun = command({
  id: 'app.continue',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+C'],
  run: async (context) => {
    await need(context, 'work').continueRun();
    return {};
  },
});

/** Commands for finished and running work. */
export const work: readonly Command[] = [undo, repeat, cancel, retry, continueRun];
