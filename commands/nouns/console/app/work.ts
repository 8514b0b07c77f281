import { command, type Command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';

/*
 * None of these is itself a write: what changes is done by the commands that they run, which are planned, shown and
 * remembered as ever.
 */

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

/** The last command again, on what is selected now. */
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

/** The last batch again, for only those that failed. */
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

/** The last cancelled batch again, for what it did not try. */
const goOn = command({
  id: 'app.continue',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+C'],
  run: async (context) => {
    await need(context, 'work').goOn();
    return {};
  },
});

/** What was done, and is being done. */
export const work: readonly Command[] = [undo, repeat, cancel, retry, goOn];
