import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import { lazyPart, listedFailedParts, useFailedParts } from './lazy-part.tsx';

interface LampProps {
  readonly name: string;
}

const Lamp = ({ name }: LampProps) => <p>{name} is lit</p>;
const offline = new TypeError('Failed to fetch dynamically imported module');

/** Creates a part that fails to load once. */
const failingOnce = () =>
  vi.fn<() => Promise<ComponentType<LampProps>>>().mockRejectedValueOnce(offline).mockResolvedValue(Lamp);

afterEach(cleanup);

const settle = () => act(async () => await Promise.resolve());

test('shows the fallback, then the part, and shows the part immediately the next time', async () => {
  const load = vi.fn<() => Promise<ComponentType<LampProps>>>(async () => Lamp);
  const Part = lazyPart(load, { Pending: ({ name }: LampProps) => <p>{name} is coming</p> });
  const { unmount } = render(<Part name="a" />);
  expect(screen.queryByText('a is coming')).not.toBeNull();
  expect(await screen.findByText('a is lit')).toBeDefined();
  unmount();
  render(<Part name="b" />);
  expect(screen.queryByText('b is lit')).not.toBeNull();
  await settle();
});

test('shows an error in its place if it could not be loaded, and retries on request', async () => {
  const Part = lazyPart(failingOnce(), {
    Failed: ({ error, retry }) => <button onClick={retry}>{String(error)}</button>,
  });
  render(<Part name="a" />);
  fireEvent.click(await screen.findByRole('button', { name: String(offline) }));
  expect(await screen.findByText('a is lit')).toBeDefined();
});

test('retries when the browser is back online', async () => {
  const Part = lazyPart(failingOnce());
  render(<Part name="a" />);
  await vi.waitFor(() => expect(listedFailedParts()).toHaveLength(1));
  fireEvent(window, new Event('online'));
  expect(await screen.findByText('a is lit')).toBeDefined();
  expect(listedFailedParts()).toEqual([]);
});

test('stays in the list of failed parts until it loads or unmounts', async () => {
  const list = vi.fn<(failed: readonly (() => void)[]) => void>();
  function List() {
    const failedParts = useFailedParts();
    list(failedParts);
    return failedParts.map((retry, index) => (
      <button key={index} onClick={retry}>
        Try again
      </button>
    ));
  }
  const Part = lazyPart(failingOnce());
  const Never = lazyPart<object>(async () => await Promise.reject(offline));
  const { rerender } = render([<List key="list" />, <Part key="part" name="a" />, <Never key="never" />]);
  await vi.waitFor(() => expect(screen.getAllByRole('button')).toHaveLength(2));
  fireEvent.click(screen.getAllByRole('button')[0]!);
  expect(await screen.findByText('a is lit')).toBeDefined();
  expect(screen.getAllByRole('button')).toHaveLength(1);
  rerender([<List key="list" />, <Part key="part" name="a" />]);
  expect(screen.queryByRole('button')).toBeNull();
});

test('leaves the rest of the page alone on failure', async () => {
  const Never = lazyPart<object>(async () => await Promise.reject(offline));
  render([<p key="rest">rows</p>, <Never key="never" />]);
  await settle();
  expect(screen.queryByText('rows')).not.toBeNull();
});
