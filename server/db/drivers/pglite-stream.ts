import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';

/** The worker's messages: backend messages for a connection, or a message about the worker itself. */
export type WorkerPost =
  | { connection: number; data: Uint8Array }
  | { ready: true }
  /** `code` is Node's name for a disk error (ENOSPC). */
  | { failed: string; code?: string }
  | { dumped: string };

let connections = 0;

// AuthenticationOk and ReadyForQuery (idle). PGlite has no handshake, so the stream answers pg's startup packet.
const handshake = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/**
 * The socket for pg's Client, which carries the PostgreSQL protocol over the port of the PGlite worker. pg-pool
 * replaces a connection after any error. Each connection has an id, so pending messages never reach the next one.
 */
export class PgliteStream extends Duplex {
  readonly #worker: Worker;
  readonly #connection = ++connections;
  readonly #onMessage = (post: WorkerPost) => {
    if ('data' in post) {
      const { buffer, byteOffset, byteLength } = post.data;
      if (post.connection === this.#connection) this.push(Buffer.from(buffer, byteOffset, byteLength));
    } else if ('failed' in post) this.destroy(new Error(`The embedded database failed: ${post.failed}`));
  };
  readonly #onExit = () => this.destroy(new Error('The embedded database has stopped.'));
  #started = false;

  constructor(worker: Worker) {
    super();
    this.#worker = worker;
    worker.on('message', this.#onMessage);
    worker.once('exit', this.#onExit);
  }

  // The four methods that pg calls on a socket.
  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(chunk);
    done();
  }

  /** pg corks the messages of a query, so they reach the worker as one message. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  #send(data: Buffer): void {
    if (!this.#started) {
      this.#started = true;
      this.push(handshake);
      return;
    }
    // 'X' means Terminate, which ends this connection but not the database.
    if (data[0] === 0x58) this.push(null);
    else this.#worker.postMessage({ connection: this.#connection, data: new Uint8Array(data) });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#worker.off('message', this.#onMessage);
    this.#worker.off('exit', this.#onExit);
    this.#worker.postMessage({ connection: this.#connection, end: true });
    done(error);
  }
}
