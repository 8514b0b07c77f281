/** px that the marker can move. More than a list is tall, and a power of two, so every position is exact. */
const REACH = 2 ** 24;

/**
 * Returns a function that moves the marker of the active row to a position in px from the top of the rows.
 *
 * An animation that never plays moves it: its time is the position. If a style moved the marker, Chromium would compute
 * the compositing layers of all rows again after every key.
 */
export function createRowMarker(marker: HTMLElement): (top: number) => void {
  const animation = marker.animate([{ transform: 'translateY(0)' }, { transform: `translateY(${REACH}px)` }], {
    duration: REACH,
    fill: 'both',
  });
  animation.pause();
  // Tools that finish all animations, for example before a screenshot, skip those that cannot advance.
  animation.playbackRate = 0;
  return (top) => {
    animation.currentTime = top;
  };
}
