interface Recording {
  /** The length of each frame in ms. */
  readonly frames: number[];
  /** How often the row at the top differed from the top row of the previous frame. */
  readonly pages: number;
}

/** The page's interface for the measuring script. */
export interface Probe {
  /** Milliseconds from each key until its effect is painted. */
  keys: number[];
  /** Scrolls `frames` times by `step` px and returns the length of each frame in ms. */
  readonly fling: (frames: number, step: number) => Promise<number[]>;
  /** Starts recording the length of each frame and, if `pages`, whether it shows other rows, which forces a layout. */
  readonly record: (options?: { readonly pages: boolean }) => void;
  /** Stops recording. */
  readonly stop: () => Recording;
}

declare global {
  var probe: Probe;
}

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
const findScroller = () => {
  const element = document.querySelector('.qd-grid, .pool');
  if (!element) throw new Error('The page has nothing to scroll.');
  return element;
};

const fling: Probe['fling'] = async (frames, step) => {
  const element = findScroller();
  const lengths: number[] = [];
  let before = await nextFrame();
  for (let i = 0; i < frames; i++) {
    element.scrollTop += step;
    const now = await nextFrame();
    lengths.push(now - before);
    before = now;
  }
  return lengths;
};

/** Returns the text of a row near the top. */
function readTopRow(): string | undefined {
  const { left, top } = findScroller().getBoundingClientRect();
  return document.elementFromPoint(left + 200, top + 60)?.closest('.qd-row, .pool-row')?.textContent;
}

let recording:
  | { frames: number[]; pages: number; readRow: () => string | undefined; row: string | undefined }
  | undefined;

const record: Probe['record'] = ({ pages } = { pages: false }) => {
  const readRow = pages ? readTopRow : () => undefined;
  recording = { frames: [], pages: 0, readRow, row: readRow() };
};

const stop: Probe['stop'] = () => {
  if (!recording) throw new Error('Nothing was recorded.');
  const { frames, pages } = recording;
  recording = undefined;
  return { frames, pages };
};

/**
 * Requests frames continuously, as on a real screen: a key waits for the next frame, and a key that misses a frame
 * waits for two. Records frames on request.
 */
async function requestFrames() {
  let before = await nextFrame();
  for (;;) {
    const now = await nextFrame();
    if (recording) {
      recording.frames.push(now - before);
      const row = recording.readRow();
      if (row !== recording.row) recording.pages++;
      recording.row = row;
    }
    before = now;
  }
}

export function installProbe() {
  void requestFrames();
  globalThis.probe = { keys: [], fling, record, stop };

  window.addEventListener(
    'keydown',
    (event) => {
      // A message posted in a frame arrives after that frame is painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => probe.keys.push(performance.now() - event.timeStamp));
        port1.start();
        port2.postMessage(undefined);
      });
    },
    { capture: true },
  );
}
