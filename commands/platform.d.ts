/**
 * The globals that commands may use, because browsers and Node share them. The type check of `commands/` includes
 * neither the DOM library nor Node's, so a command cannot use anything else.
 */
interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}

interface AbortController {
  readonly signal: AbortSignal;
}

declare const AbortController: { prototype: AbortController; new (): AbortController };
