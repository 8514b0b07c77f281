import type { RightsSubject } from './rights.ts';

/**
 * Hears of every change of rights from the moment it is opened. Open it before reading any right: a change that commits
 * after the read is then heard for certain, so that nothing opened under the old rights goes on.
 */
export interface RightsWatch {
  /** Calls `changed` when rights of one of the subjects change, and at once if they have since the watch was opened. */
  over(subjects: readonly RightsSubject[], changed: () => void): void;
  /** Whether anybody listens by now. */
  readonly used: boolean;
  close(): void;
}

/** What a watch that nobody has narrowed yet remembers; beyond this, everything counts as changed. */
const MAX_REMEMBERED = 10_000;

/** Every open watch of this process. */
export class RightsWatches {
  readonly #open = new Set<Watch>();

  open(): RightsWatch {
    const watch = new Watch(() => this.#open.delete(watch));
    this.#open.add(watch);
    return watch;
  }

  /** @param subjects `all` when notices may have been lost, and whose rights changed is not known */
  changed(subjects: readonly RightsSubject[] | 'all'): void {
    for (const watch of this.#open) watch.hear(subjects);
  }
}

class Watch implements RightsWatch {
  readonly #close: () => void;
  readonly #heard = new Set<RightsSubject>();
  #heardAll = false;
  #watched: { subjects: ReadonlySet<RightsSubject>; changed: () => void } | undefined;

  constructor(close: () => void) {
    this.#close = close;
  }

  get used(): boolean {
    return this.#watched !== undefined;
  }

  over(subjects: readonly RightsSubject[], changed: () => void): void {
    if (this.#watched !== undefined) throw new Error('The watch is in use already.');
    this.#watched = { subjects: new Set(subjects), changed };
    if (this.#heardAll || subjects.some((subject) => this.#heard.has(subject))) changed();
    this.#heard.clear();
  }

  hear(subjects: readonly RightsSubject[] | 'all'): void {
    const watched = this.#watched;
    if (watched !== undefined) {
      if (subjects === 'all' || subjects.some((subject) => watched.subjects.has(subject))) watched.changed();
      return;
    }
    if (subjects === 'all' || this.#heard.size + subjects.length > MAX_REMEMBERED) this.#heardAll = true;
    else for (const subject of subjects) this.#heard.add(subject);
  }

  close(): void {
    this.#close();
  }
}
