import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { RESULT_KINDS } from '#commands/model/result.ts';
import { message } from '#commands/text/message.ts';

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

/** Continues a paused command, or else the last one that left items untried. */
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

const pause = command({
  id: 'app.pause-work',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+H'],
  run: async (context) => {
    requireCapability(context, 'work').pause();
    return {};
  },
});

/** Shows what happened to each item of the last command. */
const results = command({
  id: 'app.results',
  effect: 'navigate',
  needs: ['work'],
  keys: ['Shift+I'],
  run: async (context) => {
    requireCapability(context, 'work').showResults();
    return {};
  },
});

/** Selects the items of the last command by their result, for the next command. */
const selectResults = command({
  id: 'app.select-results',
  effect: 'navigate',
  needs: ['work'],
  params: { result: required(p.choice(RESULT_KINDS, { label: (name) => message(`app:result.${name}`) })) },
  positional: ['result'],
  run: async (context, { result }) => {
    requireCapability(context, 'work').selectResults(result);
    return {};
  },
});

/** Saves what happened to each item of the last command, or the rows of an import that failed as a table to fix. */
const saveResults = command({
  id: 'app.save-results',
  effect: 'read',
  needs: ['work', 'files'],
  run: async (context) => {
    const name = await requireCapability(context, 'work').saveResults();
    return { message: message('common:files.saved', { name }) };
  },
});

/** Commands that undo, repeat, cancel, pause, continue, or retry other commands, and that show their results. */
export const work: readonly Command[] = [
  undo,
  repeat,
  cancel,
  pause,
  continueRun,
  retry,
  results,
  selectResults,
  saveResults,
];
