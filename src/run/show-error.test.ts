import { beforeAll, expect, test } from 'vitest';

import { loadAllStrings } from '#src/i18n/i18n.ts';
import { recordFailedImport } from '#src/state/not-loaded.ts';
import { toasts } from '#src/state/toasts.ts';

import { showError } from './show-error.ts';

beforeAll(loadAllStrings);

test("says that a part of a command couldn't be loaded, not that the connection failed", () => {
  const error = new TypeError('/assets/value-chart.js could not be loaded.');
  recordFailedImport(error);
  showError(error);
  expect(toasts.list().map(({ title, tone }) => [title, tone])).toEqual([
    ["Part of the console couldn't be loaded. Try again. If it fails again, reload the page.", 'error'],
  ]);
});
