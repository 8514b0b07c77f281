import { expect, test } from 'vitest';

import { createRowMarker } from './row-marker.ts';
import { MAX_HEIGHT } from './scroll-scale.ts';

test('moves the marker with a paused animation that reaches every row', () => {
  const element = document.createElement('div');
  document.body.append(element);
  const move = createRowMarker(element);
  const [animation, ...others] = element.getAnimations();
  expect(others).toEqual([]);
  for (const top of [0, 28, MAX_HEIGHT]) {
    move(top);
    expect(animation?.currentTime).toBe(top);
  }
  expect(animation).toMatchObject({ playState: 'paused', playbackRate: 0 });
  const effect = animation?.effect as KeyframeEffect;
  const { duration = 0 } = effect.getTiming();
  expect(Number(duration)).toBeGreaterThan(MAX_HEIGHT);
  // One px per millisecond.
  expect(effect.getKeyframes().map(({ transform }) => transform)).toEqual([
    'translateY(0)',
    `translateY(${String(duration)}px)`,
  ]);
});
