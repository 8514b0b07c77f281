// @vitest-environment happy-dom
import { expect, test } from 'vitest';

test('removes elements that an earlier test file left in the document', async () => {
  document.body.append(document.createElement('button'));
  await import('./console-setup.ts');
  expect(document.body.childElementCount).toBe(0);
});
