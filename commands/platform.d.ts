/**
 * The globals that commands can use. Browsers and Node share them. The type check of `commands/` excludes the DOM types
 * and the Node types, so a command cannot use any other globals.
 */
interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}

interface AbortController {
  readonly signal: AbortSignal;
}

declare const AbortController: { prototype: AbortController; new (): AbortController };

interface TextDecoder {
  decode(input: Uint8Array): string;
}

declare const TextDecoder: {
  prototype: TextDecoder;
  new (label?: string, options?: { readonly fatal?: boolean }): TextDecoder;
};

declare function setTimeout(callback: () => void, milliseconds: number): unknown;
