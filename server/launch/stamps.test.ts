import { afterEach, describe, expect, it } from 'vitest';
import { digest, forget, isCurrent, remember } from './stamps.mjs';

describe('what was made from which sources', () => {
  const output = { name: 'stamps-test', made: 'package.json', from: ['server/launch'] };
  afterEach(() => forget(output.name));

  it('is current once remembered, and no longer once forgotten', () => {
    expect(isCurrent(output)).toBe(false);
    remember(output);
    expect(isCurrent(output)).toBe(true);
    forget(output.name);
    expect(isCurrent(output)).toBe(false);
  });

  it('is stale when its sources differ or what was made is gone', () => {
    remember(output);
    expect(isCurrent({ ...output, from: ['server/launch', '.oxfmtrc.json'] })).toBe(false);
    expect(isCurrent({ ...output, made: 'dist/nowhere.js' })).toBe(false);
  });

  it('looks at neither tests nor generated code', () => {
    expect(digest(['server/launch/stamps.test.ts', 'proto/gen'])).toBe(digest([]));
    expect(digest(['server/launch/stamps.mjs'])).not.toBe(digest([]));
  });
});
