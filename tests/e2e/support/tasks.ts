import { test, type Page } from '@playwright/test';

import { expect } from './expect.ts';

interface Task {
  /** The maximum number of keystrokes. */
  readonly budget: number;
  /**
   * The keys, in parts that `|` separates, after each of which a test looks at the screen. Text is in quotes. What only
   * the person can know, such as a reason, is in angle brackets, and counts only if it starts with its length.
   */
  readonly keys: string;
}

/**
 * What operators, support staff, and developers do most, from the Devices screen unless a task continues another one. A
 * character counts as one keystroke, and so does a key with its modifiers.
 */
const TASKS = {
  'select all devices in error': { budget: 2, keys: '2 *' },
  'assign an existing tag to the selection': { budget: 5, keys: "t | 'win' | Enter" },
  'undo a bulk change': { budget: 1, keys: 'u' },
  'repeat it': { budget: 1, keys: '.' },
  'set the lifecycle of the selection': { budget: 5, keys: "l | 'pau' | Enter" },
  'set the lifecycle of a pasted list of devices': {
    budget: 9,
    keys: "Control+k | Control+v | Enter | * l | 'spa' | Enter",
  },
  'open a device by its number': { budget: 6, keys: 'Control+k <4 digits> Enter' },
  'find the devices behind a silent gateway': { budget: 12, keys: "5 | / 'last>1d' Enter | Enter | {" },
  'download the filtered table as CSV': { budget: 1, keys: '>' },
  'export 30 days of the selection': { budget: 10, keys: 'c e | Enter' },
  'start a transfer of the selection': { budget: 10, keys: "h | 'perm' | Enter | Enter | <count> Enter" },
  'write a note for a step of a guide': {
    budget: 9,
    keys: "Control+k | 'adn' | Enter | <text> Tab <guide> Tab <step> Control+Enter | Control+Enter",
  },
  'attach a photo to a device': { budget: 7, keys: "Control+k | 'att' | Enter | Control+v | Control+Enter" },
  'import tags from pasted cells': {
    budget: 8,
    keys: "Control+k | 'imt' | Enter | Control+v | Control+Enter | Control+Enter",
  },
  'assign a parser to what matches a filter': { budget: 8, keys: "* Control+k | 'par' | Enter | 'v' | Enter" },
  'assign a device to a process point': { budget: 6, keys: 'g p | m | <number> | Enter Enter Enter' },
  'create a webhook with an event and a tag': {
    budget: 16,
    keys: "c w | <URL> Tab | Tab Tab | 'mr' | Enter Tab Tab Tab | 'win' | Enter Control+Enter",
  },
  'disable all failing webhooks': { budget: 6, keys: 'g w | 2 * p' },
  'act as one of 600 organizations': { budget: 5, keys: 'o | <3 letters> | Enter | <reason and Enter>' },
  'return from it': { budget: 1, keys: 'Shift+O' },
} as const satisfies Readonly<Record<string, Task>>;

type TaskName = keyof typeof TASKS;

/** Presses the keys of the next part. `inputs` has what the part leaves to the person, in order. */
type PressNext = (...inputs: readonly string[]) => Promise<void>;

/** Performs a task with the keyboard, prints its keystrokes, and checks that they are within the budget. */
export async function performTask(page: Page, name: TaskName, work: (next: PressNext) => Promise<void>): Promise<void> {
  const { budget, keys }: Task = TASKS[name];
  const parts = keys.split(' | ');
  let count = 0;
  await test.step(name, async () => {
    await work(async (...inputs) => {
      const part = parts.shift();
      if (part === undefined) throw new Error(`“${name}” has no more keys.`);
      const values = [...inputs];
      for (const [, text, input, key] of part.matchAll(/'([^']+)'|<([^>]+)>|(\S+)/g)) {
        if (key !== undefined) await page.keyboard.press(key);
        else await page.keyboard.type(text ?? values.shift() ?? fail(`${input} is missing.`));
        count += input === undefined ? (text?.length ?? 1) : Number(/^\d+/.exec(input) ?? 0);
      }
    });
    expect(parts, `keys of “${name}” that were not pressed`).toEqual([]);
    console.log(`${name}: ${count} of ${budget} keystrokes (${keys.replaceAll(' | ', ' ')})`);
    expect(count, name).toBeLessThanOrEqual(budget);
  });
}

function fail(message: string): never {
  throw new Error(message);
}
