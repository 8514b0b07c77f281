import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { UsageError } from '#server/base/options.mjs';

import { checkSettings } from './check-settings.mjs';
import { prepare } from './prepare.mjs';

/** The titles of the steps that ran, and the names of the outputs that are up to date. */
let steps: string[] = [];
let current: readonly string[] = [];
const machine = {
  packagesAreCurrent: () => true,
  isCurrent: ({ name }: { readonly name: string }) => current.includes(name),
  deleteStamp: () => undefined,
  writeStamp: () => undefined,
  runStep: async (title: string) => void steps.push(title),
};

beforeEach(() => {
  steps = [];
  current = [];
});
afterEach(() => vi.unstubAllEnvs());

describe('npm start in a clone that has not been built', () => {
  test('rejects a wrong setting before it generates or builds anything', async () => {
    vi.stubEnv('SMTP_URL', 'mail.example.com');
    const start = prepare(['console', 'server'], {
      machine,
      beforeBuild: () => checkSettings(['--port', '9000']),
    });
    await expect(start).rejects.toThrow(/^SMTP_URL must be a URL such as /);
    await expect(start).rejects.toThrow(UsageError);
    expect(steps).toEqual([]);
  });

  test('builds if the settings are right', async () => {
    await prepare(['console', 'server'], { machine, beforeBuild: () => checkSettings([]) });
    expect(steps).toEqual(['Generating code from the contract', 'Building the console and the server']);
  });

  test('leaves the check to the server if everything is built', async () => {
    current = ['proto', 'console', 'server'];
    const beforeBuild = vi.fn<() => void>();
    await prepare(['console', 'server'], { machine, beforeBuild });
    expect([beforeBuild.mock.calls, steps]).toEqual([[], []]);
  });
});
