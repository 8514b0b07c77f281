import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import type { Comparison } from '#commands/nouns/data/parser/bench/comparison.ts';
import { countVerdicts, type Verdict } from '#commands/nouns/data/parser/bench/difference.ts';
import { declaredLabels } from '#commands/nouns/data/parser/bench/labels.ts';

import { StoredPane } from './StoredPane.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const comparison: Comparison = {
  counts: countVerdicts(['nowFails']),
  verdicts: ['nowFails'],
  rows: [
    {
      id: '1',
      device: 'A0A0 A0A0',
      sent: '',
      sentMs: undefined,
      hex: '10',
      difference: { verdict: 'nowFails', error: 'Too short.', changes: [], changeCount: 0 },
    },
  ],
};

const onVerdict = vi.fn<(verdict: Verdict | undefined) => void>();
const pane = (openId: string | undefined, verdict?: Verdict) => (
  <StoredPane
    ref={null}
    comparison={comparison}
    verdict={verdict}
    labels={declaredLabels([])}
    isStale={false}
    controls={undefined}
    empty=""
    active="1"
    openId={openId}
    onActive={() => undefined}
    onOpen={() => undefined}
    onVerdict={onVerdict}
  />
);

test('lists one result, and all again, at a press on its count', async () => {
  const user = userEvent.setup();
  const { rerender } = render(pane(undefined));
  await user.click(screen.getByRole('button', { pressed: false }));
  rerender(pane(undefined, 'nowFails'));
  await user.click(screen.getByRole('button', { pressed: true }));
  expect(onVerdict.mock.calls).toEqual([['nowFails'], [undefined]]);
});

test('scrolls to the difference that opens, and then to its row', () => {
  const scrolled: (string | null)[] = [];
  Element.prototype.scrollIntoView = function scrollIntoView(this: Element) {
    scrolled.push(this.getAttribute('aria-level'));
  };
  const { rerender } = render(pane(undefined));
  scrolled.length = 0;
  rerender(pane('1'));
  expect(scrolled).toEqual(['2', '1']);
});
