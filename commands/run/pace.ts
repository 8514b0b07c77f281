import type { Progress } from '#commands/model/context.ts';
import { formatAge } from '#commands/text/age.ts';
import { message, type Message } from '#commands/text/message.ts';

/** How fast a run is at the moment, and how long the rest takes at that speed. */
export interface Pace {
  readonly itemsPerSecond: number;
  readonly millisecondsLeft: number;
}

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** The period to measure. A longer one would hide that the run has become slower. */
const WINDOW_MS = 10_000;
/** The minimum period to measure. The first calls have few items, so they say little about the others. */
const MIN_MS = 2000;

/** Measures the pace of a run from its progress reports. */
export class PaceMeter {
  private samples: readonly Sample[] = [];

  /** Records a progress report. Returns the pace, or undefined until it is known. */
  add({ done, total }: Progress, at: number): Pace | undefined {
    const samples = [...this.samples, { at, done }];
    // The last sample outside the window is where the window starts.
    const start = samples.findLastIndex((sample) => sample.at <= at - WINDOW_MS);
    this.samples = samples.slice(Math.max(start, 0));
    const first = this.samples[0]!;
    const elapsed = at - first.at;
    if (elapsed < MIN_MS || done <= first.done) return undefined;
    const itemsPerMs = (done - first.done) / elapsed;
    return { itemsPerSecond: itemsPerMs * 1000, millisecondsLeft: Math.max(0, total - done) / itemsPerMs };
  }

  /** Starts over, because the time since the last report doesn't count, such as during a pause. */
  restart(): void {
    this.samples = [];
  }
}

/** Below this many items per second, the rate has a decimal. */
const MIN_WHOLE_RATE = 10;

/** Returns a text such as "1,240/s · 25 s left". */
export function paceText({ itemsPerSecond, millisecondsLeft }: Pace): Message {
  const rate = itemsPerSecond < MIN_WHOLE_RATE ? Math.round(itemsPerSecond * 10) / 10 : Math.round(itemsPerSecond);
  // A run that isn't done never has 0 s left.
  const seconds = Math.ceil(millisecondsLeft / 1000);
  return message('running:work.pace', { rate, left: formatAge(seconds * 1000) });
}
