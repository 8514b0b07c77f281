/** The page's interface for the measuring script. */
export interface Probe {
  /** Milliseconds from each key until its effect is painted. */
  keys: number[];
  /** Scrolls `frames` times by `step` px and returns the length of each frame in ms. */
  readonly fling: (frames: number, step: number) => Promise<number[]>;
  /**
   * Presses a key `times` times at 30 Hz; returns how many of the presses painted different rows than the previous one.
   */
  readonly hold: (key: string, times: number) => Promise<number>;
}

declare global {
  var probe: Probe;
}

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
const scroller = () => {
  const element = document.querySelector('.qd-grid, .pool');
  if (!element) throw new Error('Nothing to scroll.');
  return element;
};

const fling: Probe['fling'] = async (frames, step) => {
  const element = scroller();
  const lengths: number[] = [];
  let before = await frame();
  for (let i = 0; i < frames; i++) {
    element.scrollTop += step;
    const now = await frame();
    lengths.push(now - before);
    before = now;
  }
  return lengths;
};

const hold: Probe['hold'] = async (key, times) => {
  const top = () => {
    const box = scroller().getBoundingClientRect();
    return document.elementFromPoint(box.left + 200, box.top + 60)?.closest('.qd-row, .pool-row')?.textContent;
  };
  // The first one only moves the active row to the edge.
  window.dispatchEvent(new KeyboardEvent('keydown', { key }));
  await frame();
  const positions = new Set([top()]);
  for (let i = 0; i < times; i++) {
    window.dispatchEvent(new KeyboardEvent('keydown', { key }));
    await frame();
    positions.add(top());
    await frame();
  }
  return positions.size - 1;
};

/** Keeps frames coming, as on a screen: a key waits for the next one, and one that misses it waits for two. */
async function keepFramesComing() {
  for (;;) await frame();
}

export function installProbe() {
  void keepFramesComing();
  globalThis.probe = { keys: [], fling, hold };

  window.addEventListener(
    'keydown',
    (event) => {
      // A message posted in a frame arrives after that frame is painted.
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.addEventListener('message', () => probe.keys.push(performance.now() - event.timeStamp));
        painted.port1.start();
        painted.port2.postMessage(undefined);
      });
    },
    { capture: true },
  );
}
