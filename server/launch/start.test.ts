import { spawnSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

const start = (args: readonly string[], nodeArgs: readonly string[] = []) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeArgs, 'server/launch/start.mjs', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

describe('npm start', () => {
  test('rejects an unknown option with one sentence and exit code 2', () => {
    expect(start(['--device', '5'])).toEqual({
      status: 2,
      stdout: '',
      stderr: "--device isn't an option. Did you mean --devices?\n",
    });
  });

  test('lists its options', () => {
    const { status, stdout } = start(['--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('--devices N');
  });

  test('shows which Node version it needs', () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.18.3' })";
    const { status, stderr } = start([], ['--import', older]);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Quarterdeck needs Node 20\.19 or newer, but this is v\S+\. See https:\/\/nodejs\.org\.\n$/,
    );
  });
});
