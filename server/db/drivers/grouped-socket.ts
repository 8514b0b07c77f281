import { Socket } from 'node:net';
import process from 'node:process';

/**
 * The socket for pg's Client to a PostgreSQL server. pg corks it for each statement. This socket stays corked until the
 * statements of the current turn of the event loop are written, so they are sent with one system call.
 */
export class GroupedSocket extends Socket {
  #isHeld = false;

  override cork(): void {
    super.cork();
    if (this.#isHeld) return;
    this.#isHeld = true;
    super.cork();
    process.nextTick(() => {
      this.#isHeld = false;
      this.uncork();
    });
  }
}
