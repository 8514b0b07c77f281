import { afterEach, describe, expect, test } from 'vitest';

import { digest, deleteStamp, isCurrent, writeStamp } from './stamps.mjs';

describe('a build stamp', () => {
  const output = { name: 'stamps-test', artifact: 'package.json', from: ['server/launch'] };
  afterEach(() => deleteStamp(output.name));

  test('is current after it is written, and stale after it is deleted', () => {
    expect(isCurrent(output)).toBe(false);
    writeStamp(output);
    expect(isCurrent(output)).toBe(true);
    deleteStamp(output.name);
    expect(isCurrent(output)).toBe(false);
  });

  test('is stale when its sources change or its output is missing', () => {
    writeStamp(output);
    expect(isCurrent({ ...output, from: ['server/launch', '.oxfmtrc.json'] })).toBe(false);
    expect(isCurrent({ ...output, artifact: 'dist/nowhere.js' })).toBe(false);
  });

  test('ignores tests and generated code', () => {
    expect(digest(['server/launch/stamps.test.ts', 'proto/gen'])).toBe(digest([]));
    expect(digest(['server/launch/stamps.mjs'])).not.toBe(digest([]));
  });
});
