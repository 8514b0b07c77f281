/**
 * What browsers and Node share and commands may use; the type check of `commands/` has neither the DOM's nor Node's
 * library, so that a command cannot reach for either.
 */
interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}

interface AbortController {
  readonly signal: AbortSignal;
}

declare const AbortController: { prototype: AbortController; new (): AbortController };
