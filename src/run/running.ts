// Everything that runs commands, to load at once: `invoke.ts` imports it on demand.
export * from './runner.ts';
export * from './undo.ts';
