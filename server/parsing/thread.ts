import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Thrown for a request whose thread crashed or was stopped because it took too long. */
export class ThreadStoppedError extends Error {
  override name = 'ThreadStoppedError';
}

interface ThreadOptions extends WorkerOptions {
  /** How long the thread may be idle before it ends to free its memory, in milliseconds. */
  readonly idleMs: number;
  /** The maximum work in a step, in milliseconds. Beyond it, the thread is stopped. */
  readonly maxMs: (step: number) => number;
  /** Returns the current request's step that the thread is working on. By default, a request is one step. */
  readonly step?: () => number;
}

/** The factor by which a step may exceed its limit while it waits for a processor. */
const MAX_STARVATION = 10;
/** Milliseconds between checks of the limit. */
const CHECK_MS = 50;

/**
 * A worker thread that answers one request at a time. It starts with the first request. After it is stopped, the next
 * request starts a new one.
 */
export class Thread<Request, Response> {
  readonly #entry: URL;
  readonly #options: ThreadOptions;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(entry: URL, options: ThreadOptions) {
    this.#entry = entry;
    this.#options = options;
  }

  /**
   * Sends a request. Call this only once the previous request has been answered.
   *
   * @throws {ThreadStoppedError}
   */
  async run(request: Request): Promise<Response> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= new Worker(this.#entry, this.#options));
    worker.ref();
    try {
      return await answer<Response>(worker, request, this.#options);
    } catch (error) {
      this.#worker = undefined;
      await worker.terminate();
      throw error;
    } finally {
      worker.unref();
      this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function answer<Response>(
  worker: Worker,
  request: unknown,
  { maxMs: maxMsOf, step: currentStep = () => 0 }: ThreadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stop = (reason: string): void => {
      leave();
      reject(new ThreadStoppedError(reason));
    };
    const onMessage = (response: Response): void => {
      leave();
      resolve(response);
    };
    const onError = (error: Error): void => stop(error.message);
    const onExit = (): void => stop('The thread ended.');
    // On a busy machine, the clock also counts time spent waiting for a processor, so the limit applies to the
    // process's CPU time as well.
    const start = (step: number) => ({ step, time: performance.now(), cpu: process.cpuUsage() });
    let stepStart = start(currentStep());
    const timer = setInterval(() => {
      const step = currentStep();
      if (step !== stepStart.step) stepStart = start(step);
      const [maxMs, ms] = [maxMsOf(step), performance.now() - stepStart.time];
      const { user, system } = process.cpuUsage(stepStart.cpu);
      const isOverLimit = ms >= maxMs && ((user + system) / 1000 >= maxMs || ms >= maxMs * MAX_STARVATION);
      if (isOverLimit) stop(`It took longer than ${maxMs} ms.`);
    }, CHECK_MS);
    const leave = (): void => {
      clearInterval(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(request);
  });
}
