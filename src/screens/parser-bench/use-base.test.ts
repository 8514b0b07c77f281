import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';

import { useBase } from './use-base.ts';

type Props = readonly [saved: string | undefined, isChanged: boolean];

const renderBase = (props: Props) =>
  renderHook(([saved, isChanged]: Props) => useBase(saved, isChanged), { initialProps: props });

test('a draft is outdated once someone else has saved another definition', () => {
  const { result, rerender } = renderBase(['a', true]);
  expect(result.current.isOutdated).toBe(false);
  rerender(['b', true]);
  expect(result.current.isOutdated).toBe(true);
  act(() => result.current.accept('b'));
  expect(result.current.isOutdated).toBe(false);
});

test('without changes, the bench follows what others save', () => {
  const { result, rerender } = renderBase(['a', false]);
  rerender(['b', false]);
  rerender(['b', true]);
  expect(result.current.isOutdated).toBe(false);
});

test("the user's own save does not make the rest of the draft outdated", () => {
  const { result, rerender } = renderBase(['a', true]);
  act(() => result.current.accept('b'));
  rerender(['b', true]);
  expect(result.current.isOutdated).toBe(false);
});
