import { expect, it } from 'vitest';
import { DEFAULT_SERVER } from '#commands/cli/connection.ts';
import { options } from '#server/base/options.mjs';

it('lets the command line look where npm start listens, when neither is told', () => {
  expect(new URL(DEFAULT_SERVER).port).toBe(String(options.port.fallback));
});
