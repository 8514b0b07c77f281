import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { loadEmulator, type OneTimeCode, type ProjectState, type VerificationCode } from './emulator-api.ts';
import type { Notice } from './messages.ts';
import { createDemoProject } from './project.ts';

const MINUTE = 60_000;
const modules = loadEmulator('demo-test');

/** The methods that the emulator calls on its project. */
interface Codes {
  createOob(email: string, newEmail: string | undefined, requestType: string): OneTimeCode;
  createVerificationCode(phone: string): VerificationCode;
  getVerificationCodeBySessionInfo(session: string): VerificationCode | undefined;
}

let sentNotices: Notice[];
let project: ProjectState & Codes;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  sentNotices = [];
  project = createDemoProject(modules, 'demo-test', true, (notice) => sentNotices.push(notice)) as ProjectState & Codes;
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describe('a code', () => {
  test('sent by email resets a password for an hour, or verifies an address for three days', () => {
    const reset = project.createOob('olga@example.com', undefined, 'PASSWORD_RESET');
    const verify = project.createOob('olga@example.com', undefined, 'VERIFY_EMAIL');
    expect(sentNotices).toEqual([
      { kind: 'reset-password', to: 'olga@example.com', code: reset.oobCode },
      { kind: 'verify-email', to: 'olga@example.com', code: verify.oobCode },
    ]);
    wait(59 * MINUTE);
    expect(project.validateOobCode(reset.oobCode)).toBe(reset);
    wait(2 * MINUTE);
    expect(() => project.validateOobCode(reset.oobCode)).toThrow('EXPIRED_OOB_CODE');
    expect(project.validateOobCode(verify.oobCode)).toBe(verify);
    wait(3 * 24 * 60 * MINUTE);
    expect(() => project.validateOobCode(verify.oobCode)).toThrow('EXPIRED_OOB_CODE');
    expect(project.validateOobCode('made up')).toBeUndefined();
  });

  test('sent by text message lasts five minutes', () => {
    const { sessionInfo, code } = project.createVerificationCode('+31612345678');
    expect(sentNotices).toEqual([{ kind: 'sms-code', to: '+31612345678', code }]);
    expect(project.getVerificationCodeBySessionInfo(sessionInfo)).toMatchObject({ code });
    wait(6 * MINUTE);
    expect(() => project.getVerificationCodeBySessionInfo(sessionInfo)).toThrow('SESSION_EXPIRED');
  });

  test('sent by text message is rate limited per phone', () => {
    const text = () => project.createVerificationCode('+31612345678');
    for (let count = 0; count < 5; count++) text();
    expect(text).toThrow('TOO_MANY_ATTEMPTS_TRY_LATER');
    expect(project.createVerificationCode('+31687654321')).toHaveProperty('code');
    wait(MINUTE);
    expect(text()).toHaveProperty('code');
  });
});
