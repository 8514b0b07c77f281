// What running a command needs, to load at once: `invoke.ts` imports it on demand.
export * from '#src/keymap/exchange.ts';
export { learn } from '#src/search/habits.ts';

export * from './last-run.ts';
export * from './runner.ts';
export * from './undo.ts';
