import { expect, test } from 'vitest';

import { StepLog } from './step-log.ts';

test('prints a step when it starts, and its time once the next one starts or all have ended', () => {
  let output = '';
  const steps = new StepLog((text) => (output += text));
  steps.start('Creating devices');
  expect(output).toBe('  Creating devices … ');
  steps.start('Creating events');
  steps.end();
  steps.end();
  expect(output).toMatch(/^ {2}Creating devices … \d+\.\d s\n {2}Creating events … \d+\.\d s\n$/);
});

test('ends the line of a step that fails', () => {
  let output = '';
  const steps = new StepLog((text) => (output += text));
  steps.start('Creating devices');
  steps.fail();
  expect(output).toBe('  Creating devices … failed\n');
});

test('prints nothing without steps', () => {
  let output = '';
  const steps = new StepLog((text) => (output += text));
  steps.end();
  steps.fail();
  expect(output).toBe('');
});
