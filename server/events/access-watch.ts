import type { AccessSubject } from './access.ts';

/**
 * Tracks every access change from the moment it's opened. Open it before reading anything that determines access. It
 * then catches every change that commits after the read, so nothing opened under the old access survives.
 */
export interface AccessWatch {
  /** Calls `onChange` when a subject's access changes, or immediately if it has changed since the watch was opened. */
  watch(subjects: readonly AccessSubject[], onChange: () => void): void;
  /** True if a callback is registered. */
  readonly isActive: boolean;
  close(): void;
}

/**
 * The maximum number of changes that a watch stores while it has no subjects. Beyond that, all access counts as
 * changed.
 */
const MAX_PENDING_CHANGES = 10_000;

/** All open watches in this process. */
export class AccessWatches {
  readonly #open = new Set<Watch>();

  open(): AccessWatch {
    const watch = new Watch(() => this.#open.delete(watch));
    this.#open.add(watch);
    return watch;
  }

  /**
   * Notifies watches.
   *
   * @param subjects `all` if notices may have been lost, so the changed subjects are unknown
   */
  notify(subjects: readonly AccessSubject[] | 'all'): void {
    for (const watch of this.#open) watch.notify(subjects);
  }
}

class Watch implements AccessWatch {
  readonly #close: () => void;
  readonly #pending = new Set<AccessSubject>();
  #pendingAll = false;
  #watched: { subjects: ReadonlySet<AccessSubject>; onChange: () => void } | undefined;

  constructor(close: () => void) {
    this.#close = close;
  }

  get isActive(): boolean {
    return this.#watched !== undefined;
  }

  watch(subjects: readonly AccessSubject[], onChange: () => void): void {
    if (this.#watched !== undefined) throw new Error('The watch is already in use.');
    this.#watched = { subjects: new Set(subjects), onChange };
    if (this.#pendingAll || subjects.some((subject) => this.#pending.has(subject))) onChange();
    this.#pending.clear();
  }

  notify(subjects: readonly AccessSubject[] | 'all'): void {
    const watched = this.#watched;
    if (watched !== undefined) {
      if (subjects === 'all' || subjects.some((subject) => watched.subjects.has(subject))) watched.onChange();
      return;
    }
    if (subjects === 'all' || this.#pending.size + subjects.length > MAX_PENDING_CHANGES) this.#pendingAll = true;
    else for (const subject of subjects) this.#pending.add(subject);
  }

  close(): void {
    this.#close();
  }
}
