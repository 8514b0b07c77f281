import { expect, test } from 'vitest';

import { DEFAULT_SERVER } from '#commands/cli/connection.ts';
import { options } from '#server/base/options.mjs';

test('the command line and npm start use the same default port', () => {
  expect(new URL(DEFAULT_SERVER).port).toBe(String(options.port.fallback));
});
