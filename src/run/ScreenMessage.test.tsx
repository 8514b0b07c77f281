import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

test('appears once all strings have loaded and lets deferred work start earlier', async () => {
  vi.useFakeTimers();
  // Import this here, so the timeout for the first screen uses the fake timers.
  const { firstScreen } = await import('#src/state/first-screen.ts');
  const { ScreenMessage } = await import('./ScreenMessage.tsx');
  const onFirstScreen = vi.fn<() => void>();
  void firstScreen.then(onFirstScreen);

  const { container } = render(<ScreenMessage title="This filter isn't valid" />);
  expect(container.textContent).toBe('');
  await vi.advanceTimersByTimeAsync(100);
  expect(onFirstScreen).toHaveBeenCalledOnce();

  vi.useRealTimers();
  expect(await screen.findByText("This filter isn't valid")).toBeDefined();
});
