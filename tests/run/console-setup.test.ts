// @vitest-environment happy-dom
import { expect, test } from 'vitest';

test('removes from the document what an earlier test file left there', async () => {
  document.body.append(document.createElement('button'));
  await import('./console-setup.ts');
  expect(document.body.childElementCount).toBe(0);
});
