import { describe, expect, test } from 'vitest';

import { describeError } from './describe-error.ts';
import { createLog } from './log.ts';

function createTestLog(format: 'json' | 'pretty') {
  const lines: string[] = [];
  const log = createLog(
    format,
    (line) => lines.push(line),
    () => new Date('2026-11-21T10:00:00Z'),
  );
  return { log, lines };
}

describe.each(['json', 'pretty'] as const)('a %s log', (format) => {
  test('writes each entry as one line of bounded length, regardless of its content', () => {
    const { log, lines } = createTestLog(format);
    log.error('x'.repeat(1_000_000), { sql: 'y'.repeat(1_000_000) });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThan(5000);
  });

  test('contains no terminal control characters', () => {
    const { log, lines } = createTestLog(format);
    const hostileText = '\u001b[2J\nfake line\r\u009b31m\u202e\u2028\u0007\u007f';
    log.warn(`message ${hostileText}`, { field: hostileText, short: '\u001b[0m' });
    expect(lines).toHaveLength(1);
    const line = lines[0]?.slice(0, -1) ?? '';
    expect(line.match(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u)).toBeNull();
    expect(line).toContain('u001b[2J');
  });
});

describe('a logged error', () => {
  test('includes the messages of its causes', () => {
    const disk = { name: 'ErrnoError', errno: 51 };
    const error = new Error('outer', { cause: new Error('middle', { cause: disk }) });
    expect(describeError(error)).toBe('outer (middle: thrown: Object [51])');
  });

  test('omits query parameters, is truncated, and stops at circular causes', () => {
    const innerError = new Error(`Failed query: select 1\nparams: hunter2`);
    expect(describeError(new Error('outer', { cause: innerError }))).toBe('outer (Failed query: select 1)');
    expect(describeError(new Error('z'.repeat(3_000_000))).length).toBeLessThan(3000);
    innerError.cause = innerError;
    expect(describeError(innerError)).toBe('Failed query: select 1');
  });
});
